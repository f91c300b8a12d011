// What makes pages quicker to use; each of them works without it.

const all = (selector) => [...document.querySelectorAll(selector)];
const parsed = async (answer) => new DOMParser().parseFromString(await answer.text(), 'text/html');
const button = (text, className = 'button small') => Object.assign(document.createElement('button'), { type: 'button', textContent: text, className });

// Preview: what comes back replaces the part of the page for it. If that fails, the form is sent as without a script.
const preview = async (form, submitter) => {
  const fields = new URLSearchParams(new FormData(form, submitter));
  const answer = await fetch(form.action, { method: 'POST', body: fields });
  const page = await parsed(answer);
  const [shown, now] = [page.querySelector('#preview'), document.querySelector('#preview')];
  if (!answer.ok || !shown || !now) throw new Error('no preview');
  now.replaceChildren(...shown.childNodes);
  now.scrollIntoView({ block: 'nearest' });
};

// A form is sent once, however often its button is pressed. No event says that a browser gave up on it, so it can be sent again
// after a while; the server answers the same form alike.
document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  if (form.dataset.sent || event.defaultPrevented) return event.preventDefault();
  if (submitter?.value === 'preview' && !form.dataset.plain) {
    event.preventDefault();
    form.dataset.sent = 'yes';
    const again = () => {
      delete form.dataset.sent;
      form.dataset.plain = 'yes';
      form.requestSubmit(submitter);
    };
    return preview(form, submitter).then(() => delete form.dataset.sent, again);
  }
  if (form.method !== 'post') return;
  form.dataset.sent = 'yes';
  setTimeout(() => delete form.dataset.sent, 5000);
});
addEventListener('pageshow', () => all('[data-sent]').forEach((form) => delete form.dataset.sent));

// Search as one types: the same page with the form's query, of which only the results are taken.
const search = (form) => {
  let waiting;
  let asked = new AbortController();
  const look = async () => {
    asked.abort();
    asked = new AbortController();
    const url = new URL(form.action);
    url.search = new URLSearchParams(new FormData(form));
    try {
      const answer = await fetch(url, { signal: asked.signal });
      const found = answer.ok && (await parsed(answer)).querySelector(form.dataset.results);
      const now = document.querySelector(form.dataset.results);
      if (!found || !now) return;
      now.replaceWith(found);
      history.replaceState(null, '', url);
    } catch {
      // A newer search goes on, or Enter works.
    }
  };
  form.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(look, 200);
  });
};
all('form[role=search][data-results]').forEach(search);

// A menu closes when something else is pressed, and with Escape.
const close = (except) => all('details.menu[open]').forEach((menu) => {
  if (menu !== except) menu.open = false;
});
document.addEventListener('click', (event) => close(event.target.closest('details.menu')));
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  const open = document.activeElement?.closest('details.menu[open]');
  close();
  open?.querySelector('summary').focus();
});

// A text that is copied has a button for it.
all('pre.secret, .text pre').forEach((text) => {
  if (!navigator.clipboard) return;
  const copy = button('Copy');
  copy.setAttribute('aria-live', 'polite');
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text.textContent.trim());
    copy.textContent = 'Copied';
    setTimeout(() => { copy.textContent = 'Copy'; }, 2000);
  });
  text.after(copy);
});

// An address of the documentation names an operation in the contents; its page has the rest.
const entry = location.hash && document.getElementById(location.hash.slice(1))?.closest('.fold li');
if (entry) location.replace(entry.querySelector('a').href);

// The number of unread posts, once a minute at most, when the page is looked at again.
const inbox = document.querySelector('.top nav > a[href$="/notifications"]');
let counted = Date.now();
document.addEventListener('visibilitychange', async () => {
  if (!inbox || document.hidden || Date.now() - counted < 60_000) return;
  counted = Date.now();
  const answer = await fetch(`${inbox.href}/count`).catch(() => null);
  const fresh = answer?.ok && !answer.redirected && (await parsed(answer)).querySelector('.top nav > a[href$="/notifications"]');
  if (fresh) inbox.replaceChildren(...fresh.childNodes);
});

// Keys: none of them while a person types, and none with a modifier. They can be switched off.
const home = document.querySelector('.top .brand')?.href;
const keys = { '/': 'Search', 'g t': 'Your teams', 'g i': 'Your inbox', '?': 'This help' };
const isOff = () => localStorage.getItem('keys') === 'off';
const help = () => {
  const dialog = document.createElement('dialog');
  dialog.className = 'card';
  const title = Object.assign(document.createElement('h2'), { textContent: 'Keyboard shortcuts', id: 'keys' });
  dialog.setAttribute('aria-labelledby', 'keys');
  const list = Object.assign(document.createElement('dl'), { className: 'facts' });
  Object.entries(keys).forEach(([key, does]) => {
    const [row, term, meaning] = ['div', 'dt', 'dd'].map((name) => document.createElement(name));
    term.append(Object.assign(document.createElement('kbd'), { textContent: key }));
    meaning.textContent = does;
    row.append(term, meaning);
    list.append(row);
  });
  const [toggle, done] = [button('', 'button'), button('Close', 'button main')];
  const say = () => { toggle.textContent = isOff() ? 'Switch shortcuts on' : 'Switch shortcuts off'; };
  say();
  toggle.addEventListener('click', () => {
    localStorage.setItem('keys', isOff() ? 'on' : 'off');
    say();
  });
  done.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  dialog.append(title, list, done, toggle);
  document.body.append(dialog);
  dialog.showModal();
};
let before = '';
document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  const types = target.closest?.('input, textarea, select, [contenteditable], dialog');
  if (!inbox || isOff() || types || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const pressed = before === 'g' ? `g ${key}` : key;
  before = key === 'g' && before !== 'g' ? 'g' : '';
  if (pressed === '/') {
    event.preventDefault();
    document.querySelector('main form[role=search] [type=search], #find')?.focus();
  } else if (pressed === 'g t') location.assign(home);
  else if (pressed === 'g i') location.assign(inbox.href);
  else if (pressed === '?') help();
});
if (inbox) {
  const shortcuts = button('Keyboard shortcuts', 'button quiet small');
  shortcuts.addEventListener('click', help);
  document.querySelector('.foot a')?.after(' ', shortcuts);
}
