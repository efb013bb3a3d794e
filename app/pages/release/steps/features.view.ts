import { textOf } from '../../frame/fields.js'
import type { PageCall, Reader } from '../../frame/page.js'
import { counted } from '../../words/numbers.js'
import { PULL_REQUEST_STATUSES, FEATURE_READINESS, statusLabel } from '../../words/statuses.js'
import { inSentence } from '../../words/times.js'
import type { Feature } from '../answers.js'
import { webAddress } from './build.view.js'
import type { Features } from './read.js'

/** The operation that ignores features, or stops ignoring them. */
export const IGNORES = 'ignoreFeatureReadinessItems'

/** The most features that are shown. */
const MAX_SHOWN = 100

/** The filters: the word in the address, the name, and the test. */
const FILTERS = [
  ['all', 'All', () => true],
  ['open', 'Not ready', (item: Feature) => !item.ready && !item.ignored],
  ['ignored', 'Ignored', (item: Feature) => item.ignored],
] as const

type Filter = Record<'q' | 'show', string>

/** Returns the filter of a query, or of the fields of a form. */
export const filterOf = (given: PageCall['query']): Filter => ({
  q: textOf(given, 'q') ?? '',
  show: FILTERS.find(([show]) => show === given.show)?.[0] ?? 'all',
})

/** Returns the address of the page of a step with a filter. */
export function filtered(address: string, { q, show }: Filter): string {
  const query = new URLSearchParams({ ...(q && { q }), ...(show !== 'all' && { show }) })
  return query.size > 0 ? `${address}?${query}` : address
}

/** Returns the features of a release with their owners, those that are not ready first. */
export function featuresOf(
  { items, isAll }: Features,
  address: string,
  query: PageCall['query'],
  reader: Reader
) {
  const filter = filterOf(query)
  const fits = FILTERS.find(([show]) => show === filter.show)![2]
  const shown = items
    .filter((item) => fits(item))
    .sort((one, other) => placeOf(one) - placeOf(other))
  const rows = shown.slice(0, MAX_SHOWN).map((item) => rowOf(item, reader))
  return {
    action: `${address}/featureReadiness`,
    search: address,
    filter,
    tabs: FILTERS.map(([show, name, isIn]) => ({
      name,
      count: `${items.filter((item) => isIn(item)).length}${isAll ? '' : '+'}`,
      href: filtered(address, { ...filter, show }),
      isHere: show === filter.show,
    })),
    rows,
    more: moreText(shown.length - rows.length, isAll),
    empty:
      filter.q === '' && filter.show === 'all' ? 'No feature is known yet.' : 'Nothing matches.',
    may: reader.may(IGNORES),
  }
}

function moreText(hidden: number, isAll: boolean): string | null {
  if (!isAll) return 'The newest of them, and more. Search to find others.'
  return hidden > 0 ? `and ${counted(hidden, 'more feature')}. Search to find them.` : null
}

/** Features without code come first, ignored ones last. */
function placeOf({ ready, ignored, reason }: Feature): number {
  if (ignored) return 3
  if (ready) return 2
  return reason === 'missingCode' ? 0 : 1
}

type Code = { type: string; message?: string | null; author?: string | null }
type PullRequest = {
  type: 'pullRequest'
  number: number
  title: string | null
  status: string | null
  url: string | null
  author: string | null
}

function rowOf(item: Feature, reader: Reader) {
  const { id, ready, ignored, reason, workItem, ignoredBy, ignoredAt } = item
  const { ticket } = workItem
  const code = workItem.code as readonly Code[]
  const pulls = code.filter((each): each is PullRequest => each.type === 'pullRequest')
  const [first] = code
  return {
    id,
    key: ticket?.key ?? null,
    url: webAddress(ticket?.url ?? null),
    title: ticket?.title ?? pulls[0]?.title ?? first?.message?.split('\n')[0] ?? 'A change',
    status: statusLabel(FEATURE_READINESS, ignored ? 'ignored' : reason),
    isReady: ready,
    owner: ticket?.assignee ?? first?.author ?? null,
    ticket: ticket?.status ?? null,
    pulls: pulls.map(({ number, status, url }) => ({
      text: `#${number}${status === null ? '' : `, ${statusLabel(PULL_REQUEST_STATUSES, status).word.toLowerCase()}`}`,
      url: webAddress(url),
    })),
    ignored:
      ignored && ignoredBy
        ? `Ignored by ${ignoredBy.name}${ignoredAt ? `, ${inSentence(ignoredAt, reader)}` : ''}`
        : null,
    verb: ignored ? 'Stop ignoring' : 'Ignore',
    value: ignored ? 'false' : 'true',
    isOffered: ignored || !ready,
  }
}
