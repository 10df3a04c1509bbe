/* What the browser does by itself: keys, the theme, the menu and the sheets. No build step. */

window.tacit = (() => {
  const root = document.documentElement;
  const themes = ["system", "light", "dark"];
  const byId = (id) => document.getElementById(id);
  const seen = (element) => element && element.offsetParent !== null;
  let waitsForPlace = false;

  /* ---- the theme ---- */
  function sayTheme() {
    const button = byId("theme");
    if (!button) return;
    button.setAttribute("aria-label", `Theme: ${root.dataset.theme}`);
    const words = button.querySelector("span:last-child");
    if (words) words.textContent = `Theme: ${root.dataset.theme}`;
  }

  function theme() {
    const next = themes[(themes.indexOf(root.dataset.theme) + 1) % themes.length];
    root.dataset.theme = next;
    if (next === "system") localStorage.removeItem("tacit-theme");
    else localStorage.setItem("tacit-theme", next);
    sayTheme();
  }

  /* ---- the frame ---- */
  function menu(open) {
    const now = root.classList.toggle("menu-open", open);
    byId("menu")?.setAttribute("aria-expanded", String(now));
  }

  function arrived(title) {
    document.title = title;
    menu(false);
    sayTheme();
  }

  function address(path) {
    const full = (window.path_prefix || "") + path;
    if (location.pathname + location.search !== full) history.replaceState({ page: path }, "", full);
  }

  function show(id) {
    const dialog = byId(id);
    if (!dialog || dialog.open) return;
    dialog.showModal();
    dialog.querySelector("textarea, input, select")?.focus();
  }

  function hide(id) {
    byId(id)?.close();
  }

  function keys() {
    byId("keys").showModal();
  }

  function put(id, value) {
    const field = byId(id);
    if (field) field.value = value;
  }

  function filled(fields) {
    return Object.fromEntries(Object.entries(fields).map(([name, id]) => [name, byId(id).value]));
  }

  async function copy(id) {
    await navigator.clipboard.writeText(byId(id).textContent);
  }

  /* ---- keys ---- */
  const rows = () => [...document.querySelectorAll("[data-row]")].filter(seen);
  const rowAt = (element) => element?.closest?.("[data-row]");

  function step(by) {
    const all = rows();
    if (!all.length) return false;
    const at = all.indexOf(rowAt(document.activeElement));
    const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by];
    if (!next) return true;
    (next.matches("a, button") ? next : next.querySelector("[data-open]") || next).focus();
    next.scrollIntoView({ block: "nearest" });
    return true;
  }

  function pressed(key) {
    const row = rowAt(document.activeElement);
    const within = row ? [row, document] : [document];
    for (const place of within) {
      const found = [...place.querySelectorAll(`[data-key="${CSS.escape(key)}"]`)].filter(seen);
      if (found.length) {
        found[found.length - 1].click();
        return true;
      }
    }
    return false;
  }

  function toSearch() {
    const field = byId("ask");
    if (seen(field)) {
      field.focus();
      field.select();
    } else {
      document.querySelector('[data-go="s"]')?.click();
    }
  }

  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input:not([type=range]), textarea, select");
    if (event.key === "Escape") {
      if (typing && !typing.closest("dialog")) typing.blur();
      menu(false);
      return;
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (document.querySelector("dialog[open]")) return;
    if (waitsForPlace) {
      waitsForPlace = false;
      const place = document.querySelector(`[data-go="${CSS.escape(event.key)}"]`);
      if (place) {
        event.preventDefault();
        place.click();
      }
      return;
    }
    const done =
      event.key === "/"
        ? (toSearch(), true)
        : event.key === "?"
          ? (keys(), true)
          : event.key === "j"
            ? step(1)
            : event.key === "k"
              ? step(-1)
              : event.key === "g"
                ? (waitsForPlace = true)
                : event.key.length === 1 && pressed(event.key);
    if (done) event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    if (event.target.matches?.("dialog")) event.target.close(); // beside the sheet
    if (root.classList.contains("menu-open") && !event.target.closest("#side, #menu")) menu(false);
  });

  return { theme, menu, arrived, address, show, hide, keys, put, filled, copy };
})();
