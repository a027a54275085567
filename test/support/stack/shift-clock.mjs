/*
 * Loaded before a process's own modules: its clock is `CLOCK_SHIFT_MS` ahead of the system's, as on a machine whose
 * clock is wrong. The signal SIGUSR2 sets it an hour ahead, and the next one back. Time that passes is measured as before.
 */
let shiftMs = Number(process.env.CLOCK_SHIFT_MS);
let jumpMs = 3_600_000;
const SystemDate = Date;

process.on('SIGUSR2', () => {
  shiftMs += jumpMs;
  jumpMs = -jumpMs;
});

globalThis.Date = class Date extends SystemDate {
  constructor(...args) {
    if (args.length === 0) super(SystemDate.now() + shiftMs);
    else super(...args);
  }

  static now() {
    return SystemDate.now() + shiftMs;
  }
};
