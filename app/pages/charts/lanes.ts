import type { Instant } from '#foundation/core/clock'
import { HOUR, hoursText } from '#foundation/core/durations'
import { html, type Markup } from '#foundation/api/http/html'
import { inSentence, type TimeReader } from '../words/times.js'
import { namesOf, partyOf, within, type Who } from '../words/who.js'
import { drawing, inside, level, nameAcross, percentOf, type ChartView } from './chart.js'
import { edgesOf } from './closed.js'
import { barPart, partyKeys } from './parties.js'
import { dayLines, dayNames, timeAxis, type TimeAxis } from './time_axis.js'

/** A release as it is drawn over time. */
export interface Lane {
  version: string
  /** Its end, or its current state. */
  phase: string
  /** The time since its kickoff, divided by what the release waited for. */
  spans: readonly {
    from: Instant
    to: Instant
    step: string | null
    who: readonly Who[]
  }[]
  steps: readonly { name: string; at: Instant }[]
  /** Milestones on the bar. */
  marks: readonly { what: string; at: Instant }[]
}

interface Freeze {
  from: Instant
  to: Instant
  name: string
}

const ROW = 50
const TOP = 8
const BAR = { y: 24, height: 14 }
const DAYS = 20
/** The height for the names of freezes. */
const NAMES = 18

const hoursOf = ({ from, to }: { from: Instant; to: Instant }) =>
  (Date.parse(to) - Date.parse(from)) / HOUR

/**
 * Draws releases over time, one lane each: whom the release waited for, when steps were complete, and
 * freezes across all lanes.
 * @param id of the title, unique in the page
 */
export function lanes(
  all: readonly Lane[],
  freezes: readonly Freeze[],
  { id, from, to, reader }: { id: string; from: Instant; to: Instant; reader: TimeReader }
): ChartView {
  const axis = timeAxis([from, to], { ...reader, now: from })
  const crossing = freezes.filter((freeze) => freeze.from < to && freeze.to > from)
  const bottom = TOP + all.length * ROW + (crossing.length > 0 ? NAMES : 0)
  const title = titleOf(all)
  const svg = drawing(id, bottom + DAYS, title, [
    ...crossing.map((freeze) => freezeOf(freeze, axis, bottom)),
    ...dayLines(axis, TOP, bottom),
    level(bottom, 'axis'),
    ...all.flatMap((lane, row) => laneOf(lane, TOP + row * ROW, axis, reader)),
    ...dayNames(axis, bottom + 16),
  ])
  const parties = all.flatMap(({ spans }) => spans.map(({ who }) => partyOf(who)))
  return {
    ...{ title, svg, keys: partyKeys(parties) },
    table: {
      head: ['Release', 'Step', 'For whom', 'Waited'],
      rows: [
        ...all
          .flatMap(waitsOf)
          .map(({ version, step, who, hours }) => [...[version, step, who], hoursText(hours)]),
        ...crossing.map((freeze) => [
          freeze.name,
          'Freeze',
          `until ${inSentence(freeze.to, reader)}`,
          hoursText(hoursOf(freeze)),
        ]),
      ],
    },
  }
}

function laneOf(lane: Lane, top: number, axis: TimeAxis, reader: TimeReader): (Markup | null)[] {
  const { version, phase, spans, steps, marks } = lane
  const [first] = spans
  if (!first) return []
  const y = top + BAR.y
  return [
    nameOf(`${version} · ${phase}`, axis, { from: first.from, to: spans.at(-1)!.to, y: top + 16 }),
    ...spans.map((span) =>
      barPart(
        partyOf(span.who),
        { from: axis.placeOf(span.from), to: axis.placeOf(span.to) },
        {
          y,
          height: BAR.height,
          title: `${version}, ${textOf(span)}, from ${inSentence(span.from, reader)}`,
        }
      )
    ),
    ...steps.map(({ name, at }) =>
      pointOf(
        axis.placeOf(at),
        y + BAR.height + 4,
        1.5,
        'step',
        `${name} complete, ${inSentence(at, reader)}`
      )
    ),
    ...marks.map(({ what, at }) =>
      pointOf(
        axis.placeOf(at),
        y + BAR.height / 2,
        3.5,
        'mile',
        `${version} ${what}, ${inSentence(at, reader)}`
      )
    ),
  ]
}

/** Draws the name of a lane. If the lane begins on the right half, the name ends at its end. */
function nameOf(
  name: string,
  axis: TimeAxis,
  { from, to, y }: { from: Instant; to: Instant; y: number }
): Markup {
  const isRight = inside(axis.placeOf(from)) > 0.5
  const place = percentOf(axis.placeOf(isRight ? to : from))
  return html`<text x="${place}" y="${y}" text-anchor="${isRight ? 'end' : 'start'}" class="strong"
    >${name}</text
  >`
}

const pointOf = (
  place: number,
  y: number,
  radius: number,
  className: string,
  title: string
): Markup =>
  html`<circle cx="${percentOf(place)}" cy="${y}" r="${radius}" class="${className}"
    ><title>${title}</title></circle
  >`

const textOf = (span: Lane['spans'][number]) =>
  `${span.step ?? 'Other'}: ${hoursText(hoursOf(span))} for ${within(namesOf(span.who))}`

function freezeOf(freeze: Freeze, axis: TimeAxis, bottom: number): Markup {
  const { left, right } = edgesOf(freeze, axis)
  return html`<rect
      x="${percentOf(left)}"
      y="${TOP}"
      width="${percentOf(right - left)}"
      height="${bottom - TOP}"
      class="freeze"
      ><title>${freeze.name}</title></rect
    >${nameAcross({ left, right }, bottom - 6, freeze.name)}`
}

/** The hours that a release waited at a step for somebody. */
interface Wait {
  version: string
  step: string
  who: string
  hours: number
}

/** Returns the waits of a release by step and party, the longest first. */
export function waitsOf({ version, spans }: Pick<Lane, 'version' | 'spans'>): Wait[] {
  const groups = Map.groupBy(spans, ({ step, who }) => `${step}\n${namesOf(who)}`)
  return [...groups.values()]
    .map((own) => ({
      version,
      step: own[0].step ?? 'Other',
      who: namesOf(own[0].who),
      hours: own.reduce((sum, span) => sum + hoursOf(span), 0),
    }))
    .sort((one, other) => other.hours - one.hours)
}

function titleOf(all: readonly Lane[]): string {
  const waited = all.flatMap(({ spans }) => spans)
  const total = waited.reduce((sum, span) => sum + hoursOf(span), 0)
  if (total === 0) return 'Releases over time: none was kicked off'
  const ofPeople = waited
    .filter(({ who }) => partyOf(who) === 'people')
    .reduce((sum, span) => sum + hoursOf(span), 0)
  const names = all.map(({ version }) => version).join(', ')
  return `Releases over time: ${names}; ${Math.round((100 * ofPeople) / total)} % of the time waited for people`
}
