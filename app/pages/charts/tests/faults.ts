import type { ChartView } from '../chart.js'

/** A text that would become markup if it were not escaped. */
export const HOSTILE = `</title><script>alert("1")</script>' onload='x & <b>`

const TAGS = new Set(['svg', 'title', 'rect', 'line', 'text', 'path', 'circle'])

/** Returns what is wrong with a drawing: active content, broken numbers, marks outside of its box. */
export function faultsOf({ svg, title, table, keys }: ChartView, height: number): string[] {
  const text = String(svg)
  const faults: string[] = []
  const say = (isWrong: boolean, what: string) => isWrong && faults.push(what)
  for (const [, tag] of text.matchAll(/<\/?([\w-]+)/g)) say(!TAGS.has(tag), `a tag ${tag}`)
  say(/ (?:style|on\w+)=/.test(text.replace(/>[^<]*</g, '><')), 'an attribute that acts')
  say(/NaN|undefined|null|Infinity/.test(text.replace(/>[^<]*</g, '><')), 'no number')
  for (const [, d] of text.matchAll(/ d="([^"]*)"/g)) {
    say(!/^[MLHVAZ0-9.,\s-]*$/.test(d), `a path ${d}`)
    for (const [, x, y] of d.matchAll(/[ML](-?[\d.]+),(-?[\d.]+)/g)) {
      say(Number(x) < 0 || Number(x) > 1000, `x ${x}`)
      say(Number(y) < 0 || Number(y) > 100, `y ${y}`)
    }
  }
  for (const [, , value] of text.matchAll(/ (x|x1|x2|cx|width)="([\d.-]+)%"/g)) {
    say(Number(value) < 0 || Number(value) > 100, `a place ${value} %`)
  }
  for (const [, , value] of text.matchAll(/ (y|y1|y2|cy)="([\d.-]+)"/g)) {
    say(Number(value) < 0 || Number(value) > height, `a height ${value}`)
  }
  say(title.trim() === '' || !text.includes('<title id="c1">'), 'no title')
  say(keys.length === 0, 'no legend')
  for (const row of table.rows) {
    say(row.length !== table.head.length, `a row of ${row.length}`)
    say(row[0] === '', 'a row without its time')
  }
  return faults
}
