// @ts-check
/**
 * A plugin of oxlint with one rule, because no published rule finds this shape: `const a = f(); … await b; … await a`. If `b` is rejected,
 * nothing handles the rejection of `a`, which ends the process.
 */

const MESSAGE =
  'This promise is started before another `await`. If that one is rejected, nothing handles the rejection of this one. Use `Promise.all`, or start it here.';

/** The functions that wait for several promises, and handle the rejection of each. */
const COMBINATORS = ['all', 'allSettled', 'any', 'race'];

/** Returns the variables that an `await` handles: of `await a`, or of `await Promise.all([a, b])`. */
function handledBy(/** @type {any} */ awaited) {
  const { callee, arguments: [first] = [] } = awaited;
  const isCombined = callee?.object?.name === 'Promise' && COMBINATORS.includes(callee.property.name);
  const promises = isCombined ? (first?.elements ?? [first]) : [awaited];
  return promises.filter((/** @type {any} */ promise) => promise?.type === 'Identifier');
}

/**
 * Returns true for an expression that starts a promise without a handler of its rejection. The syntax does not show which calls return one.
 *
 * @returns {boolean}
 */
function starts(/** @type {any} */ expression) {
  switch (expression?.type) {
    case 'NewExpression':
      return true;
    case 'CallExpression': {
      const method = expression.callee.property?.name;
      return method !== 'catch' && !(method === 'then' && expression.arguments.length > 1);
    }
    case 'ArrayExpression':
      return expression.elements.some(starts);
    case 'ConditionalExpression':
      return starts(expression.consequent) || starts(expression.alternate);
    default:
      return false;
  }
}

const rule = {
  create(/** @type {any} */ context) {
    /**
     * The functions around the current node, the innermost last: the number of `await` in each, and this number when each variable was
     * started.
     *
     * @type {{ awaits: number, started: Map<string, number> }[]}
     */
    const functions = [];
    const enter = () => void functions.push({ awaits: 0, started: new Map() });
    const leave = () => void functions.pop();
    return {
      Program: enter,
      ':function': enter,
      ':function:exit': leave,
      'VariableDeclarator:exit'(/** @type {any} */ { id, init }) {
        const { awaits, started } = functions.at(-1) ?? {};
        if (starts(init)) started?.set(id.name, awaits ?? 0);
        else started?.delete(id.name);
      },
      AwaitExpression(/** @type {any} */ { argument }) {
        const current = functions.at(-1);
        if (!current) return;
        for (const node of handledBy(argument)) {
          if ((current.started.get(node.name) ?? current.awaits) < current.awaits) context.report({ node, message: MESSAGE });
          current.started.delete(node.name);
        }
        current.awaits += 1;
      },
    };
  },
};

export default { meta: { name: 'promises' }, rules: { 'await-at-once': rule } };
