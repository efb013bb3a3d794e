import { orThrow, type components } from '@tarmac/client'
import { EXIT, Failure } from '../exit_codes.js'
import { columns, plain } from '../output.js'
import { releasePath, type Session } from '../session.js'

type Item = components['schemas']['ChecklistItemEntity']
type Status = NonNullable<Item['status']>['type']

/** The status of each kind of item once it is done. */
const DONE: Record<Item['kind'], Status> = {
  checklist: 'complete',
  approval: 'approved',
  regression: 'passed',
}

async function itemsOf({ client }: Session, release: string): Promise<Item[]> {
  const params = { path: releasePath(release) }
  return orThrow(client.GET('/app/{appId}/release/{releaseId}/checklistItems', { params }))
}

/** Finds an item by its id, else by its title. @throws Failure if not exactly one matches */
function oneOf(items: readonly Item[], wanted: string): Item {
  const found =
    items.find(({ id }) => id === wanted) ??
    only(items.filter(({ title }) => title.toLowerCase() === wanted.toLowerCase()))
  if (found) return found
  throw new Failure(
    EXIT.notFound,
    `The release has no item "${wanted}", or several of that title.`,
    linesOf(items)
  )
}

const only = <Each>(found: readonly Each[]) => (found.length === 1 ? found[0] : undefined)

const linesOf = (items: readonly Item[]) =>
  items.map(({ id, title, status }) => plain(`${id}  ${status?.type ?? ''}  ${title}`))

async function setStatus(
  session: Session,
  release: string,
  item: Item,
  status: Status,
  comment?: string
) {
  const set = await orThrow(
    session.client.PUT('/app/{appId}/release/{releaseId}/checklistItem/{checklistItemId}/status', {
      params: { path: { ...releasePath(release), checklistItemId: item.id } },
      body: { status, ...(comment === undefined ? {} : { comment }) },
    })
  )
  session.out.show(set, () => plain(`${item.title}: ${voteText(set as Item)}`))
}

/** Shows the votes of an approval that still needs more. */
function voteText({ status, approvals, requiredApprovals = 1 }: Item): string {
  const type = status?.type ?? ''
  const isOpen = approvals && approvals.length > 0 && type !== 'approved'
  return isOpen ? `${type}, ${approvals.length} of ${requiredApprovals} approvals` : type
}

/** Lists the items of a release. */
export async function listItems(session: Session, release: string): Promise<void> {
  const items = await itemsOf(session, release)
  session.out.show(items, () =>
    columns([
      ['ITEM', 'KIND', 'STATUS', 'TITLE'],
      ...items.map(({ id, kind, status, title }) => [id, kind, status?.type ?? '–', plain(title)]),
    ])
  )
}

/** Marks an item as done, or gives it another status. */
export async function tick(
  session: Session,
  release: string,
  wanted: string,
  { status, comment }: { status?: string; comment?: string }
): Promise<void> {
  const item = oneOf(await itemsOf(session, release), wanted)
  await setStatus(
    session,
    release,
    item,
    (status as Status | undefined) ?? DONE[item.kind],
    comment
  )
}

/** Votes for an approval as the person who is signed in. */
export async function approve(
  session: Session,
  release: string,
  wanted: string | undefined,
  { comment, step }: { comment?: string; step?: string }
): Promise<void> {
  if (step !== undefined) {
    const path = { ...releasePath(release), stepType: step as 'metadata' }
    const body = { approved: true, ...(comment === undefined ? {} : { comment }) }
    const runs = await orThrow(
      session.client.PUT('/app/{appId}/release/{releaseId}/approval/{stepType}', {
        params: { path },
        body,
      })
    )
    return session.out.show(runs, () => `${step}: approved`)
  }
  const approvals = (await itemsOf(session, release)).filter(({ kind }) => kind === 'approval')
  const open = approvals.filter(({ status }) => status?.type !== 'approved')
  const item = wanted === undefined ? only(open) : oneOf(approvals, wanted)
  if (!item) {
    const message =
      open.length === 0 ? 'Nothing is to be approved.' : 'Say which approval is meant.'
    throw new Failure(open.length === 0 ? EXIT.notReady : EXIT.usage, message, linesOf(open))
  }
  await setStatus(session, release, item, 'approved', comment)
}
