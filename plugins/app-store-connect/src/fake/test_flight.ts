import { randomUUID } from 'node:crypto'
import {
  duplicate,
  notFound,
  Refusal,
  unknownRelation,
  unprocessable,
  type JsonApiRequest,
} from './json_api.js'
import type { FakeBuild, World } from './world.js'

/*
 * Builds for testers.
 */

export function requireBuild({ builds }: World, id: string): FakeBuild {
  const build = builds.find((each) => each.id === id)
  if (build) return build
  throw notFound('builds', id)
}

/** Refuses a build that testers cannot get. */
function requireTestable(build: FakeBuild): void {
  if (build.isExpired) throw unprocessable('The build has expired.')
  if (build.processing !== 'VALID') {
    throw unprocessable('The build is not in a valid processing state for this operation.')
  }
  if (build.encrypts === null) throw unprocessable('The build is missing export compliance.')
}

export function giveToGroups(world: World, request: JsonApiRequest): void {
  const build = requireBuild(world, request.params[0])
  const groups = request.linkages.map((id) => {
    const group = world.groups.find((each) => each.id === id)
    if (!group) throw unknownRelation('betaGroups', id)
    return group
  })
  requireTestable(build)
  if (groups.some(({ hasAllBuilds }) => hasAllBuilds)) {
    throw unprocessable('Cannot add internal group to a build.')
  }
  build.groupIds = [...new Set([...build.groupIds, ...request.linkages])]
}

/** One build of a version is in beta review at a time. */
export function askBetaReview(world: World, request: JsonApiRequest): FakeBuild {
  const id = request.related('build') ?? ''
  const build = world.builds.find((each) => each.id === id)
  if (!build) throw unknownRelation('builds', id)
  requireTestable(build)
  if (build.betaReview !== null) {
    throw new Refusal(409, duplicate('The build was submitted already.', '/data'))
  }
  const isBeside = world.builds.some(
    (each) => each.version === build.version && /_REVIEW$/.test(each.betaReview ?? '')
  )
  if (isBeside) throw unprocessable('Another build is in review.')
  build.betaReview = 'WAITING_FOR_REVIEW'
  return build
}

export function createNote(world: World, request: JsonApiRequest): FakeBuild['notes'][number] {
  const id = request.related('build') ?? ''
  const build = world.builds.find((each) => each.id === id)
  if (!build) throw unknownRelation('builds', id)
  const locale = request.text('locale')
  if (build.notes.some((each) => each.locale === locale)) {
    throw new Refusal(409, duplicate('The locale is there already.', '/data/attributes/locale'))
  }
  const note = { id: randomUUID(), locale, text: request.text('whatsNew') }
  build.notes.push(note)
  return note
}

export function changeNote({ builds }: World, request: JsonApiRequest): FakeBuild['notes'][number] {
  const [id] = request.params
  const note = builds.flatMap(({ notes }) => notes).find((each) => each.id === id)
  if (!note) throw notFound('betaBuildLocalizations', id)
  note.text = request.text('whatsNew')
  return note
}
