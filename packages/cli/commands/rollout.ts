import { orThrow, type components } from '@tarmac/client'
import { columns, plain, warningLines } from '../output.js'
import { releasePath, type Session } from '../session.js'
import { inOptions } from '../words.js'

type Store = components['schemas']['RolloutEntity']['stores'][number]

/** Prints the state of a release's rollout in each store. */
export async function rolloutStatus({ client, out }: Session, release: string): Promise<void> {
  const params = { path: releasePath(release) }
  const rollout = await orThrow(client.GET('/app/{appId}/release/{releaseId}/rollout', { params }))
  out.show(rollout, () =>
    rollout.stores.length === 0
      ? `${rollout.releaseId} has no stores.`
      : columns([['STORE', 'ROLLOUT', 'USERS', ''], ...rollout.stores.map(rowOf)])
  )
}

/** Texts for requests that a store has not confirmed yet. */
const PENDING_TEXTS: Readonly<Record<NonNullable<Store['command']>['what'], string>> = {
  submitted: 'asked to review it',
  withdrawn: 'asked to end the review',
  released: 'asked to release it',
  pause: 'asked to pause',
  resume: 'asked to resume',
  halt: 'asked to halt',
  complete: 'asked to complete it',
  set: 'asked to change the share',
}

const STORES: Readonly<Record<Store['storeType'], string>> = {
  apple: 'App Store',
  google: 'Google Play',
  ota: 'Update channel',
}

const STATES: Readonly<Record<Store['phased']['status'], string>> = {
  notStarted: 'not started',
  active: 'rolling out',
  paused: 'paused',
  halted: 'halted',
  completed: 'complete',
  replaced: 'replaced',
}

function rowOf({ storeType, phased, command, stopped }: Store): string[] {
  const stop = stopped
    ? `stopped by ${stopped.by.name}${stopped.reason ? `: ${stopped.reason}` : ''}`
    : ''
  const pending =
    command && PENDING_TEXTS[command.what] + (command.reason ? `: ${command.reason}` : '')
  const note = pending ?? stop
  const version = phased.replacedBy ? ` by ${phased.replacedBy}` : ''
  const state = STATES[phased.status] + version
  return [STORES[storeType], plain(state), `${phased.percentage} %`, plain(note)]
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
  const requested = plain(
    `Asked the stores of ${changed.id} to ${action} its rollout. ${statusHint(changed.id)}`
  )
  out.show(changed, () => requested + warningLines(changed.warnings, out))
}

/** Stops every rollout of a release. It asks for no confirmation, so that nothing delays a stop. */
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
  const { id, automationsPaused, warnings = [] } = stopped
  const paused = automationsPaused ? 'its automations are paused, and ' : ''
  const text = `${id} is being stopped: ${paused}each store that rolls it out is asked until it confirms the stop. ${statusHint(id)}`
  const named = warnings.map(({ message }) => ({ message: inOptions(message) }))
  out.show(stopped, () => plain(text) + warningLines(named, out))
}

const statusHint = (id: string) => `"tarmac rollout status ${id}" shows the state in each store.`
