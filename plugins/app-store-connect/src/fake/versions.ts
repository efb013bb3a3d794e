import { randomUUID } from 'node:crypto'
import {
  duplicate,
  invalidAttribute,
  notFound,
  Refusal,
  stateError,
  unknownRelation,
  type JsonApiRequest,
  type FakeError,
} from './json_api.js'
import {
  dayOf,
  isEditable,
  isOut,
  PAUSE_BUDGET_MS,
  pausedMs,
  type FakePhased,
  type FakeText,
  type FakeVersion,
  type World,
} from './world.js'

/*
 * Changes to versions, according to Apple's rules.
 */

/** Returns a version that is visible by now. @throws Refusal */
export function requireVersion(world: World, id: string, now: number): FakeVersion {
  const version = world.versions.find((each) => each.id === id)
  if (version && version.shownAt <= now) return version
  throw notFound('appStoreVersions', id)
}

export function relatedVersion(world: World, request: JsonApiRequest, now: number): FakeVersion {
  const id = request.related('appStoreVersion') ?? ''
  const version = world.versions.find((each) => each.id === id)
  if (version && version.shownAt <= now) return version
  throw unknownRelation('appStoreVersions', id)
}

const notEditable = ({ id }: FakeVersion) =>
  stateError(`appStoreVersions with id '${id}' is not in valid state. It cannot be edited.`)

function compare(first: string, second: string): number {
  const [left, right] = [first, second].map((text) => text.split('.').map(Number))
  for (let index = 0; index < 3; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Checks that a build can be attached to a version. @throws Refusal */
function requireBuild({ builds }: World, version: string, id: string | null): string | null {
  if (id === null) return null
  const build = builds.find((each) => each.id === id)
  if (!build) throw unknownRelation('builds', id)
  const fault = build.isExpired
    ? 'The build has expired.'
    : build.processing === 'VALID'
      ? build.version === version
        ? null
        : 'The build is of another version.'
      : 'The build is not in a valid processing state.'
  if (fault === null) return id
  throw new Refusal(409, {
    code: 'ENTITY_ERROR.RELATIONSHIP.INVALID',
    title: 'The provided entity includes a relationship with an invalid value',
    detail: fault,
    pointer: '/data/relationships/build',
  })
}

/**
 * Creates a version. Its number has to exceed all others, and the last version has to be released.
 * Like Apple, reports all errors at once.
 */
export function createVersion(world: World, request: JsonApiRequest, now: number): FakeVersion {
  if (request.related('app') !== world.appId) {
    throw unknownRelation('apps', request.related('app') ?? '')
  }
  const name = request.text('versionString')
  const errors: FakeError[] = []
  if (world.versions.some((each) => !isOut(each))) {
    errors.push({
      code: 'ENTITY_ERROR.RELATIONSHIP.INVALID',
      title: 'The provided entity includes a relationship with an invalid value',
      detail: 'You cannot create a new version of the App in the current state.',
      pointer: '/data/relationships/app',
    })
  }
  const pointer = '/data/attributes/versionString'
  if (world.versions.some((each) => each.version === name)) {
    errors.push(duplicate('The version number has been previously used.', pointer))
  } else if (world.versions.some((each) => isOut(each) && compare(each.version, name) > 0)) {
    const detail = 'The version number must be higher than that of the last version.'
    errors.push(invalidAttribute(detail, pointer))
  }
  if (errors.length > 0) throw new Refusal(409, ...errors)
  const buildId = requireBuild(world, name, request.related('build'))
  const before = world.versions.at(-1)
  const version: FakeVersion = {
    id: randomUUID(),
    version: name,
    state: 'PREPARE_FOR_SUBMISSION',
    isOffSale: false,
    buildId,
    releaseType: request.text('releaseType') || 'MANUAL',
    earliestReleaseDate: request.text('earliestReleaseDate') || null,
    createdAt: now,
    shownAt: now + world.settings.appearingMs,
    distributedAt: null,
    phased: null,
    // Texts are copied to the next version, except for release notes.
    texts: (before?.texts ?? []).map(({ locale, texts: { whatsNew, ...kept } }) => ({
      id: randomUUID(),
      locale,
      texts: kept,
    })),
    detail: null,
    submissions: 0,
  }
  world.versions.push(version)
  return version
}

export function changeVersion(world: World, request: JsonApiRequest, now: number): FakeVersion {
  const version = requireVersion(world, request.params[0], now)
  if (!isEditable(version)) throw notEditable(version)
  const { releaseType, earliestReleaseDate } = request.attributes
  const buildId = request.related('build')
  if (buildId !== null) version.buildId = requireBuild(world, version.version, buildId)
  if (typeof releaseType === 'string') version.releaseType = releaseType
  if (earliestReleaseDate !== undefined) {
    version.earliestReleaseDate = earliestReleaseDate as string | null
  }
  return version
}

/** Creates a phased release, which is possible until the version is released. */
export function createPhased(world: World, request: JsonApiRequest, now: number): FakePhased {
  const version = relatedVersion(world, request, now)
  if (isOut(version)) throw notEditable(version)
  if (version.phased) {
    throw new Refusal(409, duplicate('The version has a phased release already.', '/data'))
  }
  version.phased = {
    id: randomUUID(),
    state: 'INACTIVE',
    startedAt: null,
    day: 1,
    since: now,
    pausedMs: 0,
  }
  return version.phased
}

function requirePhased({ versions }: World, id: string): FakeVersion & { phased: FakePhased } {
  const version = versions.find(({ phased }) => phased?.id === id)
  if (version?.phased) return version as FakeVersion & { phased: FakePhased }
  throw notFound('appStoreVersionPhasedReleases', id)
}

export function removePhased(world: World, request: JsonApiRequest): void {
  const version = requirePhased(world, request.params[0])
  if (isOut(version)) throw notEditable(version)
  Object.assign(version, { phased: null })
}

export function changePhased(world: World, request: JsonApiRequest, now: number): FakePhased {
  const version = requirePhased(world, request.params[0])
  const { phased } = version
  const to = request.text('phasedReleaseState')
  if (phased.state === to) return phased
  const isUnderWay = phased.state === 'ACTIVE' || phased.state === 'PAUSED'
  if (version.state !== 'READY_FOR_DISTRIBUTION' || !isUnderWay) {
    throw stateError('The phased release cannot be changed in its state.')
  }
  if (to === 'PAUSED' && pausedMs(phased, now) >= PAUSE_BUDGET_MS) {
    throw stateError('A phased release can be paused for 30 days in all.')
  }
  return Object.assign(phased, {
    pausedMs: pausedMs(phased, now),
    day: to === 'COMPLETE' ? 7 : dayOf(phased, now),
    state: to,
    since: now,
  })
}

/** Releases an approved version. Its distribution takes a while. */
export function releaseVersion(world: World, request: JsonApiRequest, now: number): FakeVersion {
  const version = relatedVersion(world, request, now)
  if (version.state !== 'PENDING_DEVELOPER_RELEASE') {
    throw stateError(`appStoreVersions with id '${version.id}' is not in valid state.`)
  }
  version.state = 'PROCESSING_FOR_DISTRIBUTION'
  version.distributedAt = now + world.settings.distributingMs
  return version
}

const MAX_LENGTHS: Readonly<Record<string, number>> = {
  whatsNew: 4000,
  description: 4000,
  promotionalText: 170,
  keywords: 100,
  name: 30,
}

function requireTexts(texts: Readonly<Record<string, unknown>>): void {
  for (const [name, max] of Object.entries(MAX_LENGTHS)) {
    if (String(texts[name] ?? '').length <= max) continue
    const detail = `The attribute '${name}' is longer than ${max} characters.`
    throw new Refusal(409, invalidAttribute(detail, `/data/attributes/${name}`, '.TOO_LONG'))
  }
}

/** Refuses release notes of an app's first version. */
function requireNotFirst({ versions }: World, version: FakeVersion, request: JsonApiRequest): void {
  if (request.attributes.whatsNew === undefined || versions[0] !== version) return
  const detail = "Attribute 'whatsNew' cannot be edited at this time"
  throw new Refusal(409, invalidAttribute(detail, '/data/attributes/whatsNew', '.INVALID_STATE'))
}

export function createText(world: World, request: JsonApiRequest, now: number): FakeText {
  const version = relatedVersion(world, request, now)
  if (!isEditable(version)) throw notEditable(version)
  const { locale, ...texts } = request.attributes as Record<string, string>
  if (version.texts.some((each) => each.locale === locale)) {
    const detail = `The attribute 'locale' with value '${locale}' already exists.`
    throw new Refusal(409, duplicate(detail, '/data/attributes/locale'))
  }
  requireTexts(texts)
  requireNotFirst(world, version, request)
  const text = { id: randomUUID(), locale, texts }
  version.texts.push(text)
  return text
}

export function changeText(world: World, request: JsonApiRequest): FakeText {
  const [id] = request.params
  const version = world.versions.find(({ texts }) => texts.some((each) => each.id === id))
  const text = version?.texts.find((each) => each.id === id)
  if (!version || !text) throw notFound('appStoreVersionLocalizations', id)
  if (!isEditable(version)) throw notEditable(version)
  requireTexts(request.attributes)
  requireNotFirst(world, version, request)
  Object.assign(text.texts, request.attributes)
  return text
}

export function changeTitle({ titles }: World, request: JsonApiRequest): FakeText {
  const title = titles.find(({ id }) => id === request.params[0])
  if (!title) throw notFound('appInfoLocalizations', request.params[0])
  requireTexts(request.attributes)
  Object.assign(title.texts, request.attributes)
  return title
}

export function createTitle({ titles }: World, request: JsonApiRequest): FakeText {
  const { locale, ...texts } = request.attributes as Record<string, string>
  requireTexts(texts)
  const title = { id: randomUUID(), locale, texts }
  titles.push(title)
  return title
}
