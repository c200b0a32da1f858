// A goal is `{ atMost: 400 }` or `{ atLeast: 2_000 }`, in the unit of its figure.

export const number = (value) => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2).replace(/\.?0+$/, ''));

function columns(value, goal) {
  if (goal === undefined) return [number(value), '', ''];
  const [sign, bound, met] = 'atMost' in goal ? ['<=', goal.atMost, value <= goal.atMost] : ['>=', goal.atLeast, value >= goal.atLeast];
  return [number(value), `${sign} ${number(bound)}`, met ? '' : 'below goal'];
}

/** A line for every figure: its name, its value, its goal if any, and whether the goal is missed. */
export function table(figures, goals) {
  const unknown = Object.keys(goals).filter((name) => !(name in figures));
  if (unknown.length > 0) throw new Error(`goals without a figure: ${unknown.join('; ')}`);
  return Object.entries(figures)
    .map(([name, figure]) => {
      const [value, goal, verdict] = columns(figure, goals[name]);
      return `  ${name.padEnd(64)}${value.padStart(10)}   ${goal.padEnd(12)}${verdict}`.trimEnd();
    })
    .join('\n');
}
