// All else is in functions, since variables of a main file belong to the main actor.
Kvbench.main()
