import { analyse } from 'scslre';

/**
 * A rule for oxlint: matching a pattern takes time in proportion to its text. One that tries a text in several ways, or
 * begins anew at each character of a run, lets a header of 16 KiB hold the event loop.
 */

/** What scslre reports, in words. */
const findings = {
  Self: 'a quantifier takes the same text in several ways',
  Trade: 'two quantifiers can take the same characters',
  Move: 'it begins anew at each character of a run',
};

const linear = {
  create(context) {
    const refuseConstructor = (node) => {
      if (node.callee.name !== 'RegExp') return;
      context.report({ node, message: 'Write the pattern as a literal, so that it is checked.' });
    };
    return {
      Literal(node) {
        if (!node.regex) return;
        const { pattern: source, flags } = node.regex;
        const [report] = analyse({ source, flags }).reports;
        if (report) context.report({ node, message: `Not linear: ${findings[report.type]}.` });
      },
      NewExpression: refuseConstructor,
      CallExpression: refuseConstructor,
    };
  },
};

export default { meta: { name: 'patterns' }, rules: { linear } };
