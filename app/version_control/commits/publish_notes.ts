import { Type } from '@sinclair/typebox'
import { commandKind } from '#foundation/core/jobs/kinds'
import type { Scope } from '#foundation/core/scope'
import { lengthOf } from '#foundation/core/text'
import { feature } from '#plugin-kit/capabilities/map'
import type { Ref } from '#plugin-kit/context'
import type Release from '#releases/models/release'
import { stepRows } from '#releases/queries/step_rows'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { entityKeyOf } from '../branches/request_branch.js'
import { codeCommand, onCodeCommand, type AskedPlace } from '../code_commands.js'

/** Most characters of notes; GitHub takes 125,000. */
const MOST_NOTES = 100_000

/** The host of the code is to publish a release of its own for a tag, with the notes. */
export const notesKind = commandKind(
  'release.publishNotes',
  codeCommand({ tag: Type.String(), title: Type.String(), notes: Type.String() }),
  'versionControl'
)

/** Has the notes of a release published with its tag by a worker, once for each tag. */
export async function requestNotes(
  scope: Scope,
  release: Release,
  { appId, integrationId, connectionId, askedBy }: AskedPlace,
  tag: string
): Promise<void> {
  const { id: subject, version, releaseName } = release
  const title = releaseName === null ? version : `${version} ${releaseName}`
  const notes = await notesOf(scope, release)
  await scope.jobs.command(notesKind, {
    subject,
    entityKey: entityKeyOf(release),
    idempotencyKey: `${subject} ${tag}`,
    payload: { appId, integrationId, connectionId, askedBy, tag, title, notes },
  })
}

/**
 * The release notes of each locale, under its name if there are several; without any, the
 * description of the release. The first step that has a text of a locale counts.
 */
async function notesOf(scope: Scope, { id, releaseDescription }: Release): Promise<string> {
  const texts = new Map<string, string>()
  for (const { type, notes } of await stepRows(scope, id)) {
    const localizations = type === 'metadata' ? (notes.localizations ?? []) : []
    for (const { locale, whatsNew } of localizations) {
      if (whatsNew && !texts.has(locale)) texts.set(locale, whatsNew)
    }
  }
  if (texts.size === 0) return releaseDescription ?? ''
  if (texts.size === 1) return [...texts.values()][0]
  let notes = ''
  for (const [locale, text] of texts) {
    const next = `${notes === '' ? '' : `${notes}\n\n`}### ${locale}\n\n${text}`
    if (lengthOf(next) > MOST_NOTES) break
    notes = next
  }
  return notes
}

/** Publishes the notes; the release that a host has for the tag by now is that one. */
export const publishNotes = onCodeCommand(notesKind, {
  call: (versionControl, { payload: { tag, title, notes }, idempotencyKey }): Promise<Ref> =>
    feature(versionControl, 'createRelease')(tag, title, notes, { idempotencyKey }),
  async done(scope, release, { payload: { tag } }, { url }) {
    recordReleaseEvent(scope, release, {
      type: 'release.notesPublished',
      title: `The notes of ${release.version} were published with the tag ${tag}`,
      data: { tag, url: url ?? null },
      payload: null,
    })
  },
  async failed(scope, release, { payload: { tag, connectionId: connection } }, why) {
    recordReleaseEvent(scope, release, {
      type: 'release.notesPublishFailed',
      title: `The notes could not be published with the tag ${tag}: ${why}`.slice(0, 500),
      data: { tag, connection },
      payload: null,
    })
  },
})
