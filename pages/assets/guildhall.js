// What makes pages quicker to use; each of them works without it.

// A form is sent once, however often its button is pressed.
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (form.dataset.sent) event.preventDefault();
  else if (!event.defaultPrevented) form.dataset.sent = 'yes';
});
addEventListener('pageshow', () => document.querySelectorAll('[data-sent]').forEach((form) => delete form.dataset.sent));

// A menu closes when something else is pressed, and with Escape.
const close = (except) => document.querySelectorAll('details.menu[open]').forEach((menu) => {
  if (menu !== except) menu.open = false;
});
document.addEventListener('click', (event) => close(event.target.closest('details.menu')));
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') close();
});
