/** Shows times in the reader's own zone; the title says them in UTC, and how long ago they were. */
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** @param {number} ms how far away it is; below 0 in the past. */
function describe(ms) {
  const size = Math.abs(ms);
  if (size < minuteMs) return relative.format(Math.trunc(ms / 1_000), 'second');
  if (size < hourMs) return relative.format(Math.trunc(ms / minuteMs), 'minute');
  if (size < dayMs) return relative.format(Math.trunc(ms / hourMs), 'hour');
  return relative.format(Math.trunc(ms / dayMs), 'day');
}

function showTimes() {
  for (const time of document.querySelectorAll('time')) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    time.dataset['utc'] ??= time.textContent ?? '';
    time.textContent = local.format(at);
    time.title = `${time.dataset['utc']}, ${describe(at.getTime() - Date.now())}`;
  }
}

showTimes();
document.addEventListener('console:changed', showTimes);
