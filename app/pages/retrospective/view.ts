import { hoursText } from '#foundation/core/durations'
import type { ReleaseRetrospectiveEntity } from '#releases/retrospective/entity'
import { addresses, addressOf } from '../addresses.js'
import { shownChart } from '../charts/chart.js'
import { namesIn, waitBars } from '../charts/wait_bars.js'
import type { PageCall, PageView } from '../frame/page.js'
import type { Release } from '../release/answers.js'
import { counted } from '../words/numbers.js'
import { inSentence, timeText } from '../words/times.js'

export interface RetrospectiveAnswers {
  release: Release
  /** Null if the release has none. */
  retrospective: ReleaseRetrospectiveEntity | null
}

/** Returns whether a release has a retrospective. */
export const hasRetrospective = ({
  status,
  kickedOffAt,
  imported,
}: Pick<Release, 'status' | 'kickedOffAt' | 'imported'>): boolean =>
  status === 'completed' && kickedOffAt !== null && !imported

/** Returns the view of a retrospective: how long the release waited, and for whom. */
export function retrospectiveView(
  { release, retrospective }: RetrospectiveAnswers,
  { reader, params }: Pick<PageCall, 'reader' | 'params'>
) {
  const { version } = release
  return {
    title: `What it waited for · ${version}`,
    place: null,
    pollSeconds: null,
    version,
    back: addressOf(addresses.release, params),
    missing: retrospective ? null : missingText(release),
    found: retrospective && foundIn(retrospective, { reader, params }),
  } satisfies PageView & Record<string, unknown>
}

function missingText({ status, imported }: Release): string {
  if (imported) return 'It was released before Tarmac knew of it.'
  if (status === 'skipped') return 'It was skipped, so there is no retrospective.'
  if (status === 'completed') return 'It was never kicked off, so nobody knows how long it waited.'
  return 'Available once the release is completed.'
}

function foundIn(
  { from, to, hours, medianHours, comparedWith, steps }: ReleaseRetrospectiveEntity,
  { reader, params }: Pick<PageCall, 'reader' | 'params'>
) {
  const [longest] = steps.filter(({ waits }) => waits.length > 0)
  const last =
    comparedWith.length === 1
      ? 'The one before it took'
      : `The median of the last ${comparedWith.length} is`
  return {
    head: `It took ${hoursText(hours)} from kickoff to completion.`,
    rest:
      medianHours === null
        ? 'No release of its kind came before it to compare with.'
        : `${last} ${hoursText(medianHours)}.`,
    detail: longest
      ? `The longest wait: ${longest.name}, ${hoursText(longest.hours)}, mostly for ${namesIn(longest.waits[0].who)}.`
      : '',
    tone: medianHours !== null && hours > medianHours ? ('warn' as const) : ('plain' as const),
    span: `${timeText(from, reader)} to ${inSentence(to, reader)}`,
    count: counted(steps.length, 'step'),
    // Without waits there is nothing to draw.
    chart:
      steps.length > 0 ? shownChart('Hours waited, per step', waitBars(steps, 'waited')) : null,
    before: comparedWith.map((each) => ({
      version: each.version,
      text: hoursText(each.hours),
      href: addressOf(addresses.retrospective, { ...params, releaseId: each.releaseId }),
    })),
  }
}
