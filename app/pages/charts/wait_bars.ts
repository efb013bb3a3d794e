import { hoursText } from '#foundation/core/durations'
import { html } from '#foundation/api/http/html'
import { namesOf, partyOf, within, type Who } from '../words/who.js'
import { drawing, percentOf, upright, type ChartView } from './chart.js'
import { barPart, partyKeys } from './parties.js'

/** A step and its waiting time, as `getReleaseRetrospective` returns it. */
export interface WaitedStep {
  name: string
  hours: number
  medianHours: number | null
  waits: readonly { who: readonly Who[]; hours: number }[]
}

const ROW = 46
const BAR = { y: 20, height: 14 }
/** The overhang of the median line beyond its bar. */
const OVERHANG = 4

export const namesIn = (who: readonly Who[]): string => within(namesOf(who))

/** Draws how long a release waited at each step and for whom, with a line at the median. */
export function waitBars(steps: readonly WaitedStep[], id: string): ChartView {
  const maxHours = Math.max(
    ...steps.flatMap(({ hours, medianHours }) => [hours, medianHours ?? 0]),
    1
  )
  const [first] = steps
  const title = first
    ? `Hours per step: ${first.name} the longest with ${hoursText(first.hours)}`
    : 'Hours per step: it waited for nothing'
  const hasMedian = steps.some(({ medianHours }) => medianHours !== null)
  const parts = steps.flatMap((step, row) => {
    const { name, hours, medianHours, waits } = step
    const y = row * ROW
    let drawn = 0
    const bars = waits.map(({ who, hours: part }) => {
      const from = drawn / maxHours
      drawn += part
      return barPart(
        partyOf(who),
        { from, to: drawn / maxHours },
        {
          ...{ y: y + BAR.y, height: BAR.height },
          title: `${name}: ${hoursText(part)} for ${namesIn(who)}`,
        }
      )
    })
    const usual = medianHours === null ? null : medianHours / maxHours
    return [
      html`<text x="0" y="${y + 14}" class="strong">${name}</text>`,
      html`<text x="100%" y="${y + 14}" text-anchor="end">${hoursText(hours)}</text>`,
      html`<rect
        x="0"
        y="${y + BAR.y}"
        width="${percentOf(1)}"
        height="${BAR.height}"
        class="freeze"
      />`,
      ...bars,
      usual === null
        ? null
        : upright(usual, y + BAR.y - OVERHANG, y + BAR.y + BAR.height + OVERHANG, 'usual'),
    ]
  })
  const parties = steps.flatMap(({ waits }) => waits.map(({ who }) => partyOf(who)))
  return {
    title,
    svg: drawing(id, Math.max(1, steps.length) * ROW, title, parts),
    keys: [
      ...partyKeys(parties),
      ...(hasMedian ? [{ line: 'usual' as const, label: 'usual' }] : []),
    ],
    table: {
      head: ['Step', 'Waited', 'Usual', 'For whom'],
      rows: steps.map(({ name, hours, medianHours, waits }) => [
        name,
        hoursText(hours),
        medianHours === null ? 'Not known' : hoursText(medianHours),
        waits.map((each) => `${namesIn(each.who)} ${hoursText(each.hours)}`).join(', '),
      ]),
    },
  }
}
