import { currentTime } from '#db/clock.ts';
import type { NewTimelineEntry, TimelineStep, TimelineSubject } from '#domain/timeline.ts';

/** Keeps what one activity did until it writes its effect: the timeline costs no statement of its own. */
export interface TimelineRecorder {
  record(step: TimelineStep): void;
  /** Returns the entries since the last call of `take`, in order. */
  take(): NewTimelineEntry[];
}

/** @param subject what each entry on the charge's timeline names. (Default: the charge itself) */
export function startRecorder(subject: TimelineSubject = {}): TimelineRecorder {
  let entries: NewTimelineEntry[] = [];
  return {
    record(step) {
      const detail = { ...step.detail, ...subject };
      entries.push({ at: currentTime(), ...step, detail } as NewTimelineEntry);
    },
    take() {
      const taken = entries;
      entries = [];
      return taken;
    },
  };
}
