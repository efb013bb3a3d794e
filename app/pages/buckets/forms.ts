import type { InstallLinkEntity } from '#distribution/install_pages/entities'
import { PERMISSION_LEVELS, type PermissionLevel } from '#distribution/vocabulary'
import { addresses, addressOf } from '../addresses.js'
import { instantIn, isTicked, isUntouched, numberIn, textOf } from '../frame/fields.js'
import { form, type Fields } from '../frame/page.js'
import type { Bucket } from './answers.js'
import {
  deleteBuildPage,
  editBucketPage,
  expireBuildPage,
  installLinkPage,
  newBucketPage,
  newInstallLinkPage,
  testerBuildPage,
  withdrawLinkPage,
} from './page.js'

type Params = Record<string, string>

const ofApp = ({ appId }: Params) => ({ appId })
const ofBucket = ({ appId, bucketId }: Params) => ({ appId, bucketId })
const ofBuild = ({ appId, bucketId, buildDistroBuildId }: Params) => ({
  ...{ appId, bucketId, buildDistroBuildId },
})
const ofLink = ({ appId, bucketId, installLinkId }: Params) => ({
  ...{ appId, bucketId, installLinkId },
})

const rowsIn = (fields: Fields, name: string, separator: RegExp): string[] =>
  (textOf(fields, name) ?? '')
    .split(separator)
    .map((row) => row.trim())
    .filter(Boolean)

const isLevel = (word: string): word is PermissionLevel =>
  (PERMISSION_LEVELS as readonly string[]).includes(word)

/** Parses a member: a name, optionally followed by a comma and a permission level. */
function memberIn(row: string) {
  const [, name, level] = /^(.*),\s*(\w+)$/.exec(row) ?? []
  return level && isLevel(level)
    ? { name: name.trim(), permissionLevel: level }
    : { name: row, permissionLevel: 'tester' as const }
}

/** Reads the rules from numbered fields. Skips rules without a type. */
function rulesIn(fields: Fields) {
  const rules: object[] = []
  for (let index = 0; `ruleType-${index}` in fields; index++) {
    const type = textOf(fields, `ruleType-${index}`)
    if (type === null) continue
    rules.push({
      type,
      [type === 'PR' ? 'baseBranch' : 'branch']: textOf(fields, `ruleBranch-${index}`),
      workflow: textOf(fields, `ruleWorkflow-${index}`),
      fileFilterPatterns: rowsIn(fields, `ruleFiles-${index}`, /[,\n]/),
    })
  }
  return rules
}

function automationsIn(fields: Fields) {
  const [maxAgeDays, maxBuilds] = [numberIn(fields, 'maxAgeDays'), numberIn(fields, 'maxBuilds')]
  const isAny = maxAgeDays !== null || maxBuilds !== null
  const enabled = !isTicked(fields, 'retentionPaused')
  return isAny ? [{ enabled, config: { maxAgeDays, maxBuilds } }] : []
}

/** Returns the typed expiry. An unchanged one is left out, as its field would drop the seconds. */
const expiryIn = (fields: Fields, zone: string) =>
  isUntouched(fields, 'expiresAt') ? {} : { expiresAt: instantIn(fields, 'expiresAt', zone) }

/** Reads the settings that the forms for new and existing buckets share. */
const settingsIn = (fields: Fields) => ({
  name: textOf(fields, 'name') ?? '',
  orgWideAccessEnabled: isTicked(fields, 'orgWideAccessEnabled'),
  publicLinkEnabled: isTicked(fields, 'publicLinkEnabled'),
  notificationsEnabled: isTicked(fields, 'notificationsEnabled'),
  members: rowsIn(fields, 'members', /\n/).map(memberIn),
  rules: rulesIn(fields),
  automations: automationsIn(fields),
})

/** Creates a bucket. */
export const newBucketForm = form({
  path: addresses.buckets,
  operation: 'createBucket',
  makes: true,
  request: ({ params, fields }) => ({
    params: ofApp(params),
    body: { type: textOf(fields, 'type') ?? undefined, ...settingsIn(fields) },
  }),
  shownOn: { page: newBucketPage },
  done({ params, answer }) {
    const { id: bucketId, name } = answer as Bucket
    const to = addressOf(addresses.bucket, { ...ofApp(params), bucketId })
    return { to, said: `Created ${name}.` }
  },
})

/** Changes a bucket. */
export const editBucketForm = form({
  path: addresses.editBucket,
  operation: 'updateBucket',
  request: ({ params, fields }) => ({
    params: ofBucket(params),
    body: {
      status: isTicked(fields, 'archived') ? 'archived' : 'active',
      ...settingsIn(fields),
    },
  }),
  shownOn: { page: editBucketPage, params: ofBucket },
  done: ({ params, answer }) => ({
    to: addressOf(addresses.bucket, params),
    said: `Changed ${(answer as Bucket).name}.`,
  }),
})

/** Changes a build's notes for testers, its tags and its expiry. */
export const testerBuildForm = form({
  path: addresses.testerBuild,
  operation: 'updateBucketBuild',
  request({ params, fields, zone }) {
    return {
      params: ofBuild(params),
      body: {
        testerNotes: textOf(fields, 'testerNotes'),
        tags: rowsIn(fields, 'tags', /[,\n]/),
        ...expiryIn(fields, zone),
      },
    }
  },
  shownOn: { page: testerBuildPage, params: ofBuild },
  done: () => ({ said: 'Changed the build.' }),
})

/** Expires a build. */
export const expireBuildForm = form({
  path: addresses.expireTesterBuild,
  operation: 'updateBucketBuild',
  request: ({ params }) => ({ params: ofBuild(params), body: { status: 'expired' } }),
  shownOn: { page: expireBuildPage, params: ofBuild },
  done: ({ params }) => ({
    to: addressOf(addresses.testerBuild, params),
    said: 'The build has expired.',
  }),
})

/** Deletes a build. */
export const deleteBuildForm = form({
  path: addresses.deleteTesterBuild,
  operation: 'deleteBucketBuild',
  request: ({ params }) => ({ params: ofBuild(params) }),
  shownOn: { page: deleteBuildPage, params: ofBuild },
  done: ({ params }) => ({
    to: addressOf(addresses.bucket, params),
    said: 'Deleted the build.',
  }),
})

/** Creates an install link. */
export const newInstallLinkForm = form({
  path: addresses.installLinks,
  operation: 'createInstallLink',
  makes: true,
  request({ params, fields, zone }) {
    const expiresAt = instantIn(fields, 'expiresAt', zone)
    return {
      params: ofBucket(params),
      body: {
        buildDistroBuildId: textOf(fields, 'buildDistroBuildId'),
        email: textOf(fields, 'email'),
        ...(expiresAt !== null && { expiresAt }),
      },
    }
  },
  shownOn: { page: newInstallLinkPage, params: ofBucket },
  done({ params, answer }) {
    const { id: installLinkId } = answer as InstallLinkEntity
    const to = addressOf(addresses.installLink, { ...ofBucket(params), installLinkId })
    return { to, said: 'Created the link.' }
  },
})

/** Changes the expiry of an install link. */
export const installLinkForm = form({
  path: addresses.installLink,
  operation: 'updateInstallLink',
  request: ({ params, fields, zone }) => ({
    params: ofLink(params),
    body: expiryIn(fields, zone),
  }),
  shownOn: { page: installLinkPage, params: ofLink },
  done: () => ({ said: 'Changed the expiry of the link.' }),
})

/** Withdraws an install link. */
export const withdrawLinkForm = form({
  path: addresses.withdrawInstallLink,
  operation: 'deleteInstallLink',
  request: ({ params }) => ({ params: ofLink(params) }),
  shownOn: { page: withdrawLinkPage, params: ofLink },
  done: ({ params }) => ({
    to: addressOf(addresses.bucket, params),
    said: 'Revoked the link.',
  }),
})
