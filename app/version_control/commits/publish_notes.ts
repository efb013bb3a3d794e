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
const MAX_NOTES = 100_000

/** The code host is to publish a release of its own for a tag, with the notes. */
export const notesKind = commandKind(
  'release.publishNotes',
  codeCommand({ tag: Type.String(), title: Type.String(), notes: Type.String() }),
  'versionControl'
)

/** Plans that a worker publishes the notes of a release with its tag, once for each tag. */
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
 * Returns the release notes of each locale, under its name if there are several; without any, the
 * description of the release. If several steps have notes for a locale, the first counts.
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
    if (lengthOf(next) > MAX_NOTES) break
    notes = next
  }
  return notes
}

/** Publishes the notes; if the host has a release for the tag by now, that one is the result. */
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
