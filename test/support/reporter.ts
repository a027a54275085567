import Mocha from 'mocha';

/** Mocha's own report, closed by one plain line that any CI can read: `N passed, N failed`. */
export default class Reporter extends Mocha.reporters.Spec {
  override epilogue(): void {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    const skipped = pending > 0 ? `, ${pending} skipped` : '';
    console.log(`\n${passes} passed, ${failures} failed${skipped}`);
  }
}
