/*
 * Loaded before a process's own modules: its clock is `CLOCK_SHIFT_MS` ahead of the system's, as on a machine whose
 * clock is wrong. Time that passes is measured as before.
 */
const shiftMs = Number(process.env.CLOCK_SHIFT_MS);
const SystemDate = Date;

globalThis.Date = class Date extends SystemDate {
  constructor(...args) {
    if (args.length === 0) super(SystemDate.now() + shiftMs);
    else super(...args);
  }

  static now() {
    return SystemDate.now() + shiftMs;
  }
};
