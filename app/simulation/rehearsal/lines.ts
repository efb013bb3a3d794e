import { DAY, hoursText } from '#foundation/core/durations'
import { spelledOut } from '#releases/timeline/title_vocabulary'
import type { Rehearsed, RehearsalEntry, Wait } from './plan.js'

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

const MARKS: Readonly<Record<RehearsalEntry['kind'], string>> = {
  happened: '·',
  did: '+',
  refused: '!',
  sent: '→',
  world: '~',
}

/** Returns one entry with its day: `day 3 Wed 09:55 · 1.0.0 is being released (Ada)`. */
export function lineOfReported({ at, kind, text }: RehearsalEntry, begin: string): string {
  const day = 1 + Math.floor((Date.parse(at) - Date.parse(`${begin.slice(0, 10)}T00:00Z`)) / DAY)
  const weekday = WEEKDAYS[new Date(at).getUTCDay()]
  return `day ${String(day).padStart(3)} ${weekday} ${at.slice(11, 16)} ${MARKS[kind]} ${text}`
}

/** Maximum number of listed waits, the longest first. */
const MAX_WAITS = 20

/** Returns the result of a rehearsal as lines for people. */
export function linesOfRehearsed(rehearsed: Rehearsed): string[] {
  const {
    seed,
    scenario,
    begin,
    end,
    standIns,
    releases,
    waited,
    sent,
    asked: requests,
  } = rehearsed
  return [
    `Rehearsed: ${scenario}, seed ${seed}, from ${begin} to ${end}.`,
    ...(releases.length === 0 ? ['', NOTHING] : []),
    ...section(
      'Simulated in place of the real ones:',
      standIns.map(({ integration, type, standIn }) => `${integration} (${type}): ${standIn}`)
    ),
    ...(hasStore(standIns) ? [] : ['', NO_STORE]),
    ...section(
      'Releases:',
      releases.map(({ version, status, phase }) => `${version}: ${status}, ${spelledOut(phase)}`)
    ),
    ...section('What would have been sent, and to whom:', sent.map(lineOfSent)),
    ...section(
      'Changes requested from providers:',
      requests.map(({ provider, changes, refused }) => {
        const reported = refused === 0 ? '' : `, ${refused} of them refused`
        return `${provider}: ${changes} calls${reported}`
      })
    ),
    ...section('Where releases waited, and for whom:', linesOfWaits(waited)),
  ]
}

const NOTHING =
  'Nothing happened: no release was drafted in that time. Begin later with --from, take more --days, or see whether the cadence is enabled.'

const NO_STORE =
  'The app has no store: whatever the scenario does in stores, such as a rejection, did not happen. Give it an integration with a store to rehearse that.'

const STORES: ReadonlySet<string> = new Set(['sim-apple', 'sim-google'])

/** Returns whether a store was simulated. */
const hasStore = (standIns: Rehearsed['standIns']) =>
  standIns.some(({ standIn }) => STORES.has(standIn))

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)]

const lineOfSent = ({ to, count, what }: Rehearsed['sent'][number]) => `${to}: ${count} ${what}`

function linesOfWaits(waited: readonly Wait[]): string[] {
  const shown = waited.slice(0, MAX_WAITS).map(({ version, what, who, hours, isOpen }) => {
    const open = isOpen ? ', still waiting' : ''
    return `${hoursText(hours).padStart(7)}  ${version}  ${what} → ${who}${open}`
  })
  const more = waited.length - shown.length
  return more > 0 ? [...shown, `and ${more} more`] : shown
}
