'use strict';
(() => {
  const field = document.getElementById('find');
  const count = document.getElementById('count');
  const colours = [...document.querySelectorAll('[data-colour]')];
  const spans = [...document.querySelectorAll('details.span')];
  const texts = spans.map(span => span.textContent.toLowerCase());
  const look = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = new Set(colours.filter(box => box.checked).map(box => box.dataset.colour));
    let hits = 0;
    spans.forEach((span, n) => {
      const hit = shown.has(span.dataset.of) && words.every(word => texts[n].includes(word));
      span.hidden = !hit;
      if (hit) hits += 1;
    });
    count.textContent = `${hits} of ${spans.length} spans`;
  };
  const open = () => {
    const target = document.getElementById(location.hash.slice(1));
    for (let at = target; at; at = at.parentElement) {
      if (at.tagName === 'DETAILS') { at.open = true; at.hidden = false; }
    }
    if (target) target.scrollIntoView();
  };
  field.addEventListener('input', look);
  colours.forEach(box => box.addEventListener('change', look));
  document.addEventListener('keydown', event => {
    if (event.key === '/' && document.activeElement !== field) { event.preventDefault(); field.focus(); }
    if (event.key === 'Escape') { field.value = ''; look(); field.blur(); }
  });
  addEventListener('hashchange', open);
  look();
  open();
})();
