import { defineRegion, type Page } from '../page.ts';
import { Field, toOptions } from '../parts/form.tsx';
import { zonePath } from '../session/own-address.ts';
import { timeZones } from '../session/zones.ts';

/** Where people choose the zone of all times that they are shown. */
export const timeZonePage: Page = {
  path: zonePath,
  section: 'overview',
  scope: null,
  title: () => 'Time zone',
  regions: () => [choiceRegion],
};

const choiceRegion = defineRegion<null>({
  name: 'choice',
  load: () => Promise.resolve(null),
  view: (_none, { query, timeZone }) => (
    <form class="action" method="post" action={zonePath}>
      <input type="hidden" name="back" value={query.get('back') ?? '/'} />
      <Field name="zone" label="Show times in" value={timeZone} options={toOptions(timeZones)} />
      <p class="hint">
        This browser keeps the choice. Days in filters and in daily figures stay those of UTC.
      </p>
      <p class="buttons">
        <button type="submit">Choose</button>
      </p>
    </form>
  ),
});
