import { approvalsMissing, type FixRequestRow } from './fix_approvals.js'
import type { NamedPulls } from '../queries/named_pulls.js'
import type { WaitCode } from '../vocabulary.js'

/** Something that a request still waits for. */
interface Wait {
  code: WaitCode
  message: string
  /** The number of the pull request it is about, if any. */
  pullRequestNumber: number | null
}

/** Returns what a request still waits for, tasks of people first; nothing once it is over. */
export function waitsFor(request: FixRequestRow, pulls: NamedPulls): Wait[] {
  const { status } = request
  if (status === 'merged' || status === 'rejected') return []
  const waits = [...pullWaits(request, pulls), ...failedWaits(request), ...approvalWaits(request)]
  if (request.workItemId === null) return [...waits, of('nothing_named', NOTHING_NAMED)]
  if (waits.length > 0) return waits
  const isAsked =
    request.mergeHead !== null ||
    Object.values(request.picks).some(({ state }) => state === 'asked')
  return [isAsked ? of('under_way', UNDER_WAY) : of('code_not_seen', codeNotSeen(request))]
}

const NOTHING_NAMED =
  'It names neither code nor a ticket, so it is not known when it is in the release.'
const UNDER_WAY = 'Version control is being asked to bring its code in.'
const codeNotSeen = ({ wayIn }: FixRequestRow) =>
  wayIn === 'backMerge'
    ? 'Not all of its code was seen in the working branch yet.'
    : 'Not all of its code was seen in the working or the release branch yet.'

const of = (code: WaitCode, message: string, number: number | null = null): Wait => ({
  code,
  message,
  pullRequestNumber: number,
})

function approvalWaits(request: FixRequestRow): Wait[] {
  const missing = request.status === 'pending' ? approvalsMissing(request) : 0
  if (missing === 0) return []
  const { requiredApprovals: required } = request
  const word = required === 1 ? 'approval' : 'approvals'
  return [of('approvals_missing', `${missing} of ${required} ${word} missing.`)]
}

function failedWaits({ status, wayIn }: FixRequestRow): Wait[] {
  if (status !== 'failed') return []
  const what = wayIn === 'backMerge' ? 'merge' : 'pick'
  return [
    of('left_to_person', `The ${what} needs a person, as \`failure\` says: it is not retried.`),
  ]
}

function pullWaits(
  { pullRequests }: FixRequestRow,
  { seen, areInFormerRepository }: NamedPulls
): Wait[] {
  return pullRequests.flatMap((number) => {
    const known = seen.get(number)
    if (areInFormerRepository) {
      const message = `#${number} is of a repository that the app has no more: reject this request.`
      return [of('pull_request_elsewhere', message, number)]
    }
    if (!known || known.status === 'merged') return []
    const name = `#${number} ${known.title ?? ''}`.trim()
    switch (known.status) {
      case null:
        return [
          of(
            'pull_request_unknown',
            `The code host does not know pull request #${number}.`,
            number
          ),
        ]
      case 'closed':
        return [
          of(
            'pull_request_closed',
            `${name} was closed without being merged: open it again, or reject this request.`,
            number
          ),
        ]
      default:
        return [of('pull_request_open', `${name} is not merged yet.`, number)]
    }
  })
}

/** Waits that a person has to end; the rest ends by itself. */
const WAITS_FOR_PEOPLE = new Set<WaitCode>([
  'pull_request_elsewhere',
  'pull_request_closed',
  'pull_request_unknown',
  'left_to_person',
  'approvals_missing',
])

export const isOfPeople = ({ code }: Wait): boolean => WAITS_FOR_PEOPLE.has(code)
