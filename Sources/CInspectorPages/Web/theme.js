// A classic script in the head: the theme must be set before the first paint.
{
	const theme = localStorage.getItem("inspector-theme");
	if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}
