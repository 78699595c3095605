// Runs before the first paint, so that a chosen theme, density or language
// does not flash. src/state/prefs.svelte.ts writes what is read here.
(function () {
  var root = document.documentElement;
  try {
    var prefs = JSON.parse(localStorage.getItem('tidemark.prefs') || '{}');
    if (prefs.theme === 'light' || prefs.theme === 'dark') root.dataset.theme = prefs.theme;
    if (prefs.density === 'roomy') root.dataset.density = 'roomy';
    var zh = /^zh\b/i.test(prefs.lang || navigator.language);
    root.lang = zh ? 'zh-CN' : 'en';
  } catch (e) {
    // Storage may be refused; the defaults hold then.
  }
})();
