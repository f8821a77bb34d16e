// Runs in each page before its own scripts: records what went wrong, and checks a view when asked.
(() => {
  const inspection = {problems: []};
  window.inspection = inspection;
  // Scripts in documents would set it.
  window.hacked = () => inspection.problems.push("a script of a document ran");
  window.alert = window.hacked;
  const record = (text) => inspection.problems.push(text);
  addEventListener("securitypolicyviolation", (event) =>
    record(`the policy forbids ${event.violatedDirective}: ${event.blockedURI} ${event.sample}`));
  addEventListener("error", (event) => record(`error: ${event.message} (${event.filename})`));
  addEventListener("unhandledrejection", (event) => record(`unhandled: ${event.reason}`));

  const interactive = "a[href], button, input, select, textarea, summary, [tabindex='0'], " +
    "[role='button'], [role='option'], [role='combobox']";

  /** The element, in short, for a message. */
  function nameOf(element) {
    const classes = element.getAttribute("class");
    const text = element.textContent.trim().slice(0, 40);
    const tag = `<${element.localName}${classes ? ` class="${classes}"` : ""}>`;
    return text ? `${tag} “${text}”` : tag;
  }

  function isVisible(element) {
    return element.checkVisibility({checkVisibilityCSS: true, checkOpacity: true})
      && element.getBoundingClientRect().width > 0;
  }

  function textOf(ids) {
    return ids.split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
  }

  function labelOf(element) {
    const own = element.getAttribute("aria-label")
      ?? textOf(element.getAttribute("aria-labelledby") ?? "");
    const labels = [...element.labels ?? []].map((label) => label.textContent);
    return own.trim() || labels.join(" ").trim();
  }

  function accessibleName(element) {
    const images = [...element.querySelectorAll("img[alt], svg[aria-label]")];
    return labelOf(element) || element.textContent.trim() || element.getAttribute("title")
      || images.map((image) => image.alt ?? image.getAttribute("aria-label")).join(" ").trim();
  }

  function* nameProblems() {
    for (const element of document.querySelectorAll(interactive)) {
      if (!isVisible(element)) continue;
      const isControl = /^(input|select|textarea)$/.test(element.localName);
      if (isControl ? !labelOf(element) : !accessibleName(element))
        yield `no accessible ${isControl ? "label" : "name"}: ${nameOf(element)}`;
      const outer = element.parentElement?.closest("a[href], button, summary");
      if (outer) yield `${nameOf(element)} is in ${nameOf(outer)}`;
    }
    const images = "img:not([alt]), svg[role='img']:not([aria-label])";
    for (const image of document.querySelectorAll(images))
      yield `no alternative text: ${nameOf(image)}`;
  }

  function* structureProblems() {
    const titles = [...document.querySelectorAll("h1")].filter(isVisible);
    if (titles.length !== 1) yield `${titles.length} elements h1`;
    if (!document.documentElement.lang) yield "no language";
    if (!document.title.endsWith(" · Inspector")) yield `the title is ${document.title}`;
    const ids = new Set();
    for (const {id} of document.querySelectorAll("[id]")) {
      if (ids.has(id)) yield `two elements with the ID ${id}`;
      ids.add(id);
    }
    for (const attribute of ["controls", "describedby", "labelledby", "activedescendant"].map(
      (name) => `aria-${name}`))
      for (const element of document.querySelectorAll(`[${attribute}]`))
        for (const id of element.getAttribute(attribute).split(/\s+/).filter(Boolean))
          if (!ids.has(id)) yield `${attribute} of ${nameOf(element)} leads nowhere: ${id}`;
  }

  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const known = new Map();

  /** A colour of CSS as red, green, blue and opacity. */
  function channels(colour) {
    if (!known.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(colour, [red, green, blue, alpha / 255]);
    }
    return known.get(colour);
  }

  function over([red, green, blue, alpha], back) {
    return [red, green, blue].map(
      (value, index) => value * alpha + back[index] * (1 - alpha)).concat(1);
  }

  function luminance(colour) {
    const [red, green, blue] = colour.slice(0, 3).map((value) =>
      value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }

  function contrast(a, b) {
    const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (light + 0.05) / (dark + 0.05);
  }

  function background(element) {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const rect = at.localName === "g" && at.querySelector(":scope > rect");
      const style = getComputedStyle(at);
      const colour = channels(rect ? getComputedStyle(rect).fill : style.backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reduceRight((back, layer) => over(layer, back), [255, 255, 255, 1]);
  }

  function opacityOf(element) {
    let product = 1;
    for (let at = element; at; at = at.parentElement)
      product *= Number(getComputedStyle(at).opacity);
    return product;
  }

  function* contrastProblems() {
    const found = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const elements = new Set();
    while (walker.nextNode())
      if (walker.currentNode.data.trim()) elements.add(walker.currentNode.parentElement);
    for (const field of document.querySelectorAll("input, textarea, select")) elements.add(field);
    for (const element of elements) {
      if (!isVisible(element) || element.matches(":disabled, .skip, title, option")) continue;
      const style = getComputedStyle(element);
      const isSVG = element.namespaceURI.endsWith("svg");
      const isPlaceholder = element.placeholder && !element.value;
      const colour = isPlaceholder ? getComputedStyle(element, "::placeholder").color
        : isSVG ? style.fill : style.color;
      const back = element.classList.contains("remote-text")
        ? channels(getComputedStyle(element.previousElementSibling).fill) : background(element);
      const [red, green, blue, alpha] = channels(colour);
      const ratio = contrast(over([red, green, blue, alpha * opacityOf(element)], back), back);
      const size = Number.parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      const shown = back.slice(0, 3).map(Math.round);
      const text = `contrast ${ratio.toFixed(2)} of ${colour} on ${shown}`;
      if (ratio >= (isLarge ? 3 : 4.5) || found.has(text)) continue;
      found.add(text);
      yield `${text}: ${nameOf(element)}`;
    }
  }

  /** What is wider than the window; what scrolls by itself may be. */
  inspection.overflow = () => {
    const boxes = [document.documentElement, document.body, document.getElementById("main"),
      document.getElementById("top"), ...document.querySelectorAll("dialog[open]")];
    return boxes.filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => {
      const inner = [...box.querySelectorAll("*")].find((element) =>
        element.getBoundingClientRect().right > innerWidth + 1 && !element.closest(
          ".scroll, .grid, .tabs, .diff, pre, .skip, .hidden-text"));
      return `${nameOf(box).split(" “")[0]} is ${box.scrollWidth} wide, not ${box.clientWidth}: `
        + (inner ? nameOf(inner) : "");
    });
  };

  inspection.audit = () =>
    [...nameProblems(), ...structureProblems(), ...contrastProblems()].slice(0, 20);

  inspection.contrast = () => [...contrastProblems()].slice(0, 20);

  // The elements that had the focus, and those that did not show it.
  const reached = new WeakSet();
  inspection.hiddenFocus = [];
  addEventListener("focusin", ({target}) => {
    reached.add(target);
    // The main part gets the focus from links, not from the keyboard.
    if (target.id !== "main" && !showsFocus(target)) inspection.hiddenFocus.push(nameOf(target));
  });

  function showsFocus(element) {
    const style = getComputedStyle(element);
    const rect = element.localName === "g" && element.querySelector("rect");
    const isOutlined = style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 2
      && contrast(channels(style.outlineColor), background(element.parentElement)) >= 3;
    const isBold = rect && Number.parseFloat(getComputedStyle(rect).strokeWidth) >= 3;
    return isOutlined || Boolean(isBold);
  }

  /** What the Tab key should reach in the view, and has not. */
  inspection.missed = () => [...document.querySelectorAll(interactive)].filter((element) =>
    isVisible(element) && element.tabIndex >= 0 && !element.disabled && !reached.has(element)
      && element.closest("main") && !element.matches("[role='option']")).map(nameOf);
})();
