import { Type } from '@sinclair/typebox'
import { actions, open, operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import type { ParameterDeclaration } from '#foundation/api/operation/parameters'
import { twoSteps } from '#foundation/api/operation/steps'
import {
  EXAMPLE_TOKEN,
  exampleLink,
  exampleShared,
  ReleaseLinkEntity,
  SharedReleaseEntity,
} from './link_entities.js'

const links = lazyController(
  async () => new (await import('./links_controller.js')).LinksController()
)

const LINKS = '/app/{appId}/release/{releaseId}/link'
const LINK = `${LINKS}/{releaseLinkId}`
const shared = { tag: 'Release', beyond: true } as const
const edit = actions('EditRelease')
const link = { description: 'The link.', schema: ReleaseLinkEntity, example: exampleLink }

export const linkParameters: Record<string, ParameterDeclaration> = {
  releaseLinkId: { description: 'Id of the link.', example: exampleLink.id },
  sharedToken: { description: 'The end of the address of a link.', example: EXAMPLE_TOKEN },
}

export const operations = [
  operation({
    ...shared,
    id: 'listReleaseLinks',
    method: 'GET',
    path: LINKS,
    summary: 'List the links of a release',
    description: 'Addresses that show the release to people without an account, oldest first.',
    access: read,
    answers: {
      200: {
        description: 'The links.',
        schema: Type.Array(ReleaseLinkEntity, { maxItems: 20 }),
        example: [exampleLink],
      },
    },
    handle: (call) => links.index(call),
  }),
  operation({
    ...shared,
    id: 'createReleaseLink',
    steps: twoSteps('lets whoever has the address see the release'),
    method: 'POST',
    path: LINKS,
    summary: 'Make a link to a release',
    description:
      'Makes an address that shows app, version, phase, rollout and next date of the release to whoever has it, and nothing else. It ends 30 days after the release is over, or once it is revoked.',
    access: edit,
    answers: { 201: link },
    handle: (call) => links.store(call),
  }),
  operation({
    ...shared,
    id: 'getReleaseLink',
    method: 'GET',
    path: LINK,
    summary: 'Get a link of a release',
    description: 'The link with its address.',
    access: read,
    answers: { 200: link },
    handle: (call) => links.show(call),
  }),
  operation({
    ...shared,
    id: 'revokeReleaseLink',
    steps: twoSteps('destroys the address'),
    method: 'DELETE',
    path: LINK,
    summary: 'Revoke a link to a release',
    description: 'Its address answers 404 from then on.',
    access: edit,
    answers: { 204: { description: 'It is revoked.' } },
    precondition: { of: 'getReleaseLink' },
    handle: (call) => links.destroy(call),
  }),
  operation({
    ...shared,
    id: 'getSharedRelease',
    method: 'GET',
    path: '/sharedRelease/{sharedToken}',
    summary: 'Get a release by its link',
    description:
      'What the page of a link shows, as data. Needs no key, the address cannot be guessed; nobody may keep it.',
    access: open,
    answers: {
      200: { description: 'The release.', schema: SharedReleaseEntity, example: exampleShared },
    },
    handle: (call) => links.shared(call),
  }),
]
