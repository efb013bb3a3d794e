import { orThrow, type components } from '@tarmac/client'
import { columns, plain } from '../output.js'
import { releasePath, type Session } from '../session.js'
import { inOptions } from '../words.js'

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
  if (out.isJson) return out.show(stopped, String)
  const done = await doneBy(client, release)
  const warnings = (stopped.warnings ?? []).map(({ message }) => inOptions(message))
  const paused = stopped.automationsPaused ? ['Its automations are paused.'] : []
  out.line(plain([...done.asked, ...paused, ...done.issue, ...warnings].join('\n')))
}

/** Returns what a press of the red button did; a part that cannot be read is left out. */
async function doneBy(client: Session['client'], release: string) {
  const path = releasePath(release)
  const query = { type: 'redButton.pressed' as const, limit: 1 }
  const [rollout, timeline] = await Promise.all([
    orThrow(client.GET('/app/{appId}/release/{releaseId}/rollout', { params: { path } })).catch(
      () => null
    ),
    orThrow(
      client.GET('/app/{appId}/release/{releaseId}/timelineEvents', { params: { path, query } })
    ).catch(() => null),
  ])
  const stores = rollout?.stores.filter(({ decided }) => decided.isStopped) ?? []
  const nothing = `No store has anything of ${release} to stop.`
  const asked = stores.length > 0 ? askedText(release, 'stop', stores) : nothing
  const issue = timeline?.data[0]?.data?.triageIssueId
  return {
    asked: rollout === null ? [] : [asked],
    issue: typeof issue === 'string' ? [`The triage issue ${issue} is open.`] : [],
  }
}

/** Returns a confirmation that the stores were asked; they carry it out later. */
const askedText = (id: string, action: string, stores: readonly Store[] = []) => {
  const names = stores.map(({ storeType }) => STORES[storeType])
  const asked = names.length > 0 ? [...new Set(names)].join(' and ') : `every store of ${id}`
  return plain(`Asked ${asked} to ${action}. "tarmac rollout status ${id}" shows what each says.`)
}

const STORES = { apple: 'the App Store', google: 'Google Play', ota: 'the update service' } as const
