import type { Scope } from '#foundation/core/scope'
import { findIntegration } from '#integrations/queries/app_integrations'
import type Release from '#releases/models/release'
import type { CodeCommand } from '#releases/ports'
import { channelKind } from '../work_kinds.js'

/** Longest name of a channel that every chat accepts. */
const MAX_NAME = 80

/** Returns the name of a release's channel, in characters that chats allow. */
function channelName({ appId, version }: Pick<Release, 'appId' | 'version'>): string {
  const ending = `-${version.replaceAll('.', '-')}`
  const name = appId.toLowerCase().replace(/[^a-z0-9-]+/g, '-')
  return `${name.slice(0, MAX_NAME - ending.length)}${ending}`
}

/** Plans the command that makes a release's channel, in the first chat of its app. */
export async function requestChannel(scope: Scope, release: Release): Promise<CodeCommand> {
  const { appId } = release
  const chat = await findIntegration(scope, appId, 'chat')
  if (!chat) return { kind: 'blocked', reason: 'The app has no chat.' }
  const { id: integrationId, connectionId } = chat
  await scope.jobs.command(channelKind, {
    subject: release.id,
    payload: { appId, integrationId, connectionId, name: channelName(release) },
  })
  return { kind: 'underWay' }
}
