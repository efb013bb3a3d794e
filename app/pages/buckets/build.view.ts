import { addresses, addressOf } from '../addresses.js'
import { fieldView } from '../components/field.view.js'
import { questionView } from '../components/question.view.js'
import { FormState, typedInstant } from '../frame/fields.js'
import type { PageCall, PageView, Reader } from '../frame/page.js'
import { seenTag } from '../frame/seen_tag.js'
import { changedMeanwhile } from '../release/changed.js'
import { webAddress } from '../release/steps/build.view.js'
import { shortHash } from '../words/commits.js'
import { platformName } from '../words/names.js'
import { sizeText } from '../words/numbers.js'
import { statusLabel } from '../words/statuses.js'
import { inSentence, timeText } from '../words/times.js'
import type { Build, BuildAnswers } from './answers.js'
import { crumbsOf } from './list.view.js'
import { BUILD_STATUSES, buildName } from './words.js'

type Call = Pick<PageCall, 'reader' | 'refused' | 'params'>

/** Returns the view of a build: its facts, its testers, and the form to change it. */
export function testerBuildView(
  { app, bucket, build, tag, mayLink, isAdmin }: BuildAnswers,
  { reader, refused, params }: Call
) {
  const action = addressOf(addresses.testerBuild, params)
  const isOver = build.status === 'expired' || build.status === 'failed'
  return {
    title: `${buildName(build)} · ${bucket.name}`,
    place: null,
    pollSeconds: build.metadataStatus === 'pending' && !isOver ? 15 : null,
    ...changedMeanwhile(refused, reader),
    crumbs: crumbsOf(app),
    bucket: { name: bucket.name, href: addressOf(addresses.bucket, params) },
    heading: buildName(build),
    status: statusLabel(BUILD_STATUSES, build.status),
    ends: endsText(build, reader),
    linkHref:
      mayLink && build.status === 'active'
        ? `${addressOf(addresses.newInstallLink, params)}?build=${build.id}`
        : null,
    expireHref: isAdmin && !isOver ? addressOf(addresses.expireTesterBuild, params) : null,
    compareHref:
      build.metadata === null ? null : addressOf(addresses.testerBuildComparison, params),
    deleteHref: isAdmin ? addressOf(addresses.deleteTesterBuild, params) : null,
    notes: isAdmin ? null : build.testerNotes,
    form: isAdmin ? formOf(build, tag, action, { reader, refused }) : null,
    facts: factsOf(build, reader),
    ciHref: webAddress(build.ciBuild?.url ?? null),
    warnings: [
      ...(build.metadata?.warnings.map(({ message }) => message) ?? []),
      ...(build.metadataFailure ? [`The file could not be read: ${build.metadataFailure}`] : []),
    ],
    files: build.additionalArtifacts.map(({ fileName, size }) => ({
      name: fileName,
      size: sizeText(size),
    })),
    testers: build.testers.map(({ email, installedAt, device }) => ({
      email,
      text:
        installedAt === null
          ? 'not installed yet'
          : `installed ${inSentence(installedAt, reader)}${device ? ` on ${device}` : ''}`,
    })),
  } satisfies PageView & Record<string, unknown>
}

function endsText({ status, expiresAt }: Build, reader: Reader): string {
  if (status === 'expired') {
    const when = expiresAt === null ? '' : ` ${inSentence(expiresAt, reader)}`
    return `It expired${when}: its record stays; its files are deleted.`
  }
  return expiresAt === null ? 'It never expires.' : `It expires ${inSentence(expiresAt, reader)}.`
}

function formOf(
  { testerNotes, tags, expiresAt, status }: Build,
  tag: string,
  action: string,
  { reader, refused }: Pick<Call, 'reader' | 'refused'>
) {
  const state = new FormState(refused, action)
  const ends = expiresAt === null ? '' : typedInstant(expiresAt, reader.zone)
  return {
    action,
    tag: seenTag(tag, action, refused),
    endedAt: ends,
    notes: fieldView(state, {
      id: 'testerNotes',
      label: 'Notes for testers (optional)',
      stored: testerNotes ?? '',
      type: 'area',
    }),
    tags: fieldView(state, {
      id: 'tags',
      label: 'Tags (optional)',
      hint: 'Words that testers search for, separated by commas.',
      stored: tags.join(', '),
    }),
    expiresAt:
      status === 'expired'
        ? null
        : fieldView(state, {
            id: 'expiresAt',
            label: 'Expires (optional)',
            hint: 'Leave empty for never.',
            stored: ends,
            type: 'datetime-local',
          }),
  }
}

/** Returns the known facts about a build. */
function factsOf(build: Build, reader: Reader) {
  const { metadata, ciBuild } = build
  const profile = metadata?.profile
  const facts: readonly (readonly [name: string, value: string | null | undefined])[] = [
    ['File', `${build.artifactFileName}, ${sizeText(build.fileSize)}`],
    [
      build.source === 'rule' ? 'Imported' : 'Uploaded',
      `${timeText(build.createdAt, reader)}, by ${build.createdBy.name}`,
    ],
    ['Branch', ciBuild?.branch],
    ['Commit', ciBuild && shortHash(ciBuild.commitHash)],
    ['App', metadata && [metadata.name, metadata.bundleId].filter(Boolean).join(', ')],
    [
      'Runs on',
      metadata &&
        `${platformName(metadata.platform)}${metadata.minimumOsVersion ? ` ${metadata.minimumOsVersion} and later` : ''}${
          metadata.abis.length > 0 ? `, ${metadata.abis.join(', ')}` : ''
        }`,
    ],
    ['Asks for', metadata && metadata.permissions.join(', ')],
    [
      'Signed',
      metadata?.signing &&
        `${metadata.signing.schemes.join(', ')}${metadata.signing.isDebugSigned ? ', with a debug key' : ''}`,
    ],
    [
      'Profile',
      profile &&
        [
          profile.name,
          profile.type,
          profile.teamName,
          profile.deviceCount === null ? null : `${profile.deviceCount} devices`,
          profile.expiresAt && `expires ${inSentence(profile.expiresAt, reader)}`,
        ]
          .filter(Boolean)
          .join(', '),
    ],
    ['SHA-256', metadata?.sha256],
  ]
  return facts.flatMap(([name, value]) => (value ? [{ name, value }] : []))
}

type TaggedBuild = Pick<BuildAnswers, 'build' | 'tag'>

const questionOf = (
  { build, tag }: TaggedBuild,
  { reader, refused, params }: Call,
  question: { title: string; lines: readonly string[]; path: string; verb: string }
) => {
  const { path, title, ...rest } = question
  const action = addressOf(path, params)
  const view = questionView(null, {
    ...rest,
    title: `${title} ${buildName(build)}`,
    action,
    tag: seenTag(tag, action, refused),
    cancel: addressOf(addresses.testerBuild, params),
  })
  return { ...view, ...changedMeanwhile(refused, reader) }
}

/** Returns the view of the confirmation before a build expires. */
export const expireBuildView = (found: TaggedBuild, call: Call) =>
  questionOf(found, call, {
    title: 'Expire',
    lines: [
      'Nobody can install it any more, with any link.',
      'Its record stays; its files are deleted. This cannot be undone.',
    ],
    path: addresses.expireTesterBuild,
    verb: 'Expire',
  })

/** Returns the view of the confirmation before a build is deleted. */
export const deleteBuildView = (found: TaggedBuild, call: Call) =>
  questionOf(found, call, {
    title: 'Delete',
    lines: [
      'Nobody can install it any more, with any link.',
      'Its record and its files are deleted. This cannot be undone.',
    ],
    path: addresses.deleteTesterBuild,
    verb: 'Delete',
  })
