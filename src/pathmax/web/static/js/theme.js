// Light or dark as chosen before, set before anything is drawn. Not a module: it must not wait.

(() => {
  const chosen = () => { try { return localStorage.getItem("pathmax-theme"); } catch { return null; } };
  const apply = (theme) => {
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
  };
  apply(chosen());
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#theme")) return;
    const order = ["system", "light", "dark"];
    const next = order[(order.indexOf(chosen() || "system") + 1) % order.length];
    try { localStorage.setItem("pathmax-theme", next); } catch { /* a private window */ }
    apply(next);
  });
})();
