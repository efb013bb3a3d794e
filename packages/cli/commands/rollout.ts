import { orThrow, type components } from '@tarmac/client'
import { columns, plain } from '../output.js'
import { releasePath, type Session } from '../session.js'

type Store = components['schemas']['RolloutEntity']['stores'][number]

/** Prints the state of a release's rollout in each store. */
export async function rolloutStatus({ client, out }: Session, release: string): Promise<void> {
  const params = { path: releasePath(release) }
  const rollout = await orThrow(client.GET('/app/{appId}/release/{releaseId}/rollout', { params }))
  out.show(rollout, () =>
    rollout.stores.length === 0
      ? 'No rollout has begun.'
      : columns([['STORE', 'ROLLOUT', 'USERS', ''], ...rollout.stores.map(rowOf)])
  )
}

function rowOf({ storeType, phased, command, stopped }: Store): string[] {
  const { what } = command ?? {}
  const stop = stopped
    ? `stopped by ${stopped.by.name}${stopped.reason ? `: ${stopped.reason}` : ''}`
    : ''
  const note = what ? `asked to ${what}` : stop
  return [storeType, phased?.status ?? '–', phased ? `${phased.percentage} %` : '–', plain(note)]
}

/** Pauses or resumes the rollout. */
export async function changeRollout(
  { client, out }: Session,
  action: 'pause' | 'resume',
  release: string,
  { reason }: { reason?: string }
): Promise<void> {
  const changed = await orThrow(
    client.PUT('/app/{appId}/release/{releaseId}/rollout', {
      params: { path: releasePath(release) },
      body: { action, ...(reason === undefined ? {} : { reason }) },
    })
  )
  out.show(changed, () => askedText(changed.id, action))
}

/** Stops every rollout of a release, without a confirmation, so that a stop is never delayed. */
export async function redButton(
  { client, out }: Session,
  release: string,
  { reason, pair }: { reason?: string; pair?: boolean }
): Promise<void> {
  const stopped = await orThrow(
    client.PUT('/app/{appId}/release/{releaseId}/redButton', {
      params: { path: releasePath(release) },
      body: { ...(reason === undefined ? {} : { reason }), ...(pair ? { pair } : {}) },
    })
  )
  out.show(stopped, () => askedText(stopped.id, 'stop'))
}

/** Returns a confirmation that the stores were asked; they carry it out later. */
const askedText = (id: string, action: string) =>
  plain(
    `Asked every store of ${id} to ${action}. "tarmac rollout status ${id}" shows what each says.`
  )
