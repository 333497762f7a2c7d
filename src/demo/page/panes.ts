/**
 * One pane of the start page for each demo person, as a script for it: their rooms with live badges, the
 * newest messages of the room that is open, and a line to write. What people wrote only ever becomes text.
 *
 * A pane reads (marks its room as read) only while it is the one in use: in the other one the badge rises.
 */
export const PANES = `
const ROOMS = '{ viewer { memberships(first: 100) { edges { node { room { id name topic createdAt } } } } } }';
const BADGE = 'subscription { unread { total rooms { unreadCount room { id name topic createdAt } } removedRoomIds } }';
const TIMELINE = 'query ($id: ID!) { room(id: $id) { messages(last: 50) { edges { node { id body createdAt replyCount author { displayName } } } } } }';
const SEND = 'mutation ($input: SendMessageInput!) { sendMessage(input: $input) { message { id } } }';
const READ = 'mutation ($input: MarkRoomReadInput!) { markRoomRead(input: $input) { membership { id } } }';

const totals = new Map();
let inUse = null;

function made(tag, className, text) {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text ?? '';
  return element;
}

function showCount(badge, count) {
  const text = String(count);
  badge.classList.toggle('none', count === 0);
  if (badge.textContent === text) return;
  badge.textContent = text;
  badge.title = text + ' unread';
  badge.classList.remove('moved');
  void badge.offsetWidth; // so that the animation starts anew
  badge.classList.add('moved');
}

function openPane({ name, token }, { openFirst }) {
  const pane = document.getElementById('pane').content.cloneNode(true).firstElementChild;
  const part = (className) => pane.querySelector('.' + className);
  const [first] = name.split(' ');
  const rooms = new Map();
  let opened = null;
  let refreshing = false;
  let again = false;
  let draft = null;

  pane.setAttribute('aria-label', name);
  part('face').textContent = name[0];
  part('name').textContent = name;
  part('talk').append(made('p', '', 'Open a room; or write in the other pane and watch ' + first + '’s badge.'));
  const state = (text) => (part('state').textContent = text);
  const failed = (error) => state(error.message);

  function take({ unreadCount, room }) {
    const row = rooms.get(room.id) ?? addRoom(room);
    row.unread = unreadCount;
    showCount(row.badge, unreadCount);
  }

  function addRoom(room) {
    const button = made('button', '');
    const row = { ...room, unread: 0, button, item: made('li', ''), badge: made('span', 'badge none', '0') };
    button.type = 'button';
    button.title = room.topic ?? '';
    button.append(made('span', '', room.name), row.badge);
    button.onclick = () => open(room.id);
    row.item.append(button);
    rooms.set(room.id, row);
    part('rooms').replaceChildren(...byAge().map(({ item }) => item));
    return row;
  }

  const byAge = () => [...rooms.values()].sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));

  function remove(id) {
    rooms.get(id)?.item.remove();
    rooms.delete(id);
  }

  function open(id) {
    opened = id;
    for (const row of rooms.values()) row.button.ariaCurrent = row.id === id ? 'true' : null;
    part('say').querySelector('input').placeholder = 'Say something in ' + rooms.get(id).name + ' as ' + first;
    for (const control of part('say').children) control.disabled = false;
    refresh();
    markRead();
  }

  function markRead() {
    if (inUse !== pane || !rooms.get(opened)?.unread) return;
    ask(token, READ, { input: { roomId: opened } }).catch(failed);
  }

  /** Reads the open room again; asked for meanwhile, once more afterwards. */
  async function refresh() {
    again = true;
    if (refreshing) return;
    refreshing = true;
    try {
      while (again) {
        again = false;
        const id = opened;
        const { room } = await ask(token, TIMELINE, { id });
        if (room === null || id !== opened) continue;
        part('talk').replaceChildren(...room.messages.edges.map(({ node }) => message(node)));
        part('talk').scrollTop = part('talk').scrollHeight;
      }
    } catch (error) {
      failed(error);
    } finally {
      refreshing = false;
    }
  }

  function message({ body, createdAt, replyCount, author }) {
    const element = made('div', 'message');
    const time = made('time', '', new Date(createdAt).toLocaleTimeString([], { timeStyle: 'short' }));
    time.dateTime = createdAt;
    element.append(made('b', '', author.displayName), time, made('div', '', body ?? 'This message was deleted.'));
    if (replyCount > 0) element.append(made('span', 'replies', replyCount === 1 ? '1 reply' : replyCount + ' replies'));
    return element;
  }

  part('say').onsubmit = async (event) => {
    event.preventDefault();
    const input = part('say').querySelector('input');
    const body = input.value;
    if (body.trim() === '') return;
    // The same text after a failure is the same sending: it is stored once.
    if (draft?.body !== body || draft.roomId !== opened) {
      draft = { roomId: opened, body, idempotencyKey: crypto.randomUUID() };
    }
    try {
      await ask(token, SEND, { input: draft });
      draft = null;
      if (input.value === body) input.value = '';
      state('live');
      refresh();
    } catch (error) {
      failed(error);
    }
  };

  const use = () => {
    inUse = pane;
    markRead();
  };
  pane.addEventListener('pointerdown', use);
  pane.addEventListener('focusin', use);

  /** Those with nothing unread are in no event. */
  async function addQuietRooms() {
    const { viewer } = await ask(token, ROOMS);
    for (const { node } of viewer.memberships.edges) if (!rooms.has(node.room.id)) addRoom(node.room);
    const [oldest] = byAge();
    if (opened === null && openFirst && oldest) open(oldest.id);
  }

  function takeBadge({ total, rooms: changed, removedRoomIds }, isFirst) {
    state('live');
    const told = new Set(changed.map(({ room }) => room.id));
    if (isFirst) {
      for (const room of rooms.values()) if (!told.has(room.id)) take({ unreadCount: 0, room });
      addQuietRooms().catch(failed);
    }
    changed.forEach(take);
    removedRoomIds.forEach(remove);
    showCount(part('total'), total);
    totals.set(first, total);
    document.title = [...totals].map(([who, count]) => who + ' ' + count).join(' · ') + ' · Tsudoi';
    if (opened === null || !(isFirst || told.has(opened))) return;
    refresh();
    markRead();
  }

  listen(token, BADGE, {
    next: ({ unread }, isFirst) => takeBadge(unread, isFirst),
    lost: () => state('connecting …'),
  });
  return pane;
}

const panes = document.querySelector('.panes');
const people = JSON.parse(panes.dataset.people);
panes.append(...people.map((person, i) => openPane(person, { openFirst: i > 0 })));

for (const element of document.querySelectorAll('.origin')) element.textContent = location.origin;
for (const button of document.querySelectorAll('.copy')) {
  button.onclick = async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.of).textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 1500);
  };
}
`;
