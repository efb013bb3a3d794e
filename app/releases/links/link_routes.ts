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
  sharedToken: { description: 'Token at the end of the link URL.', example: EXAMPLE_TOKEN },
}

export const operations = [
  operation({
    ...shared,
    id: 'listReleaseLinks',
    method: 'GET',
    path: LINKS,
    summary: 'List the links of a release',
    description:
      'Returns the links that show the release to people without an account, oldest first.',
    access: read,
    responses: {
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
    summary: 'Create a link to a release',
    description:
      'Creates a URL that shows only the app, version, phase, rollout and next date of the release to anyone who has it. It expires 30 days after the release ends, or when revoked.',
    access: edit,
    responses: { 201: link },
    handle: (call) => links.store(call),
  }),
  operation({
    ...shared,
    id: 'getReleaseLink',
    method: 'GET',
    path: LINK,
    summary: 'Get a link of a release',
    description: 'Returns the link with its URL.',
    access: read,
    responses: { 200: link },
    handle: (call) => links.show(call),
  }),
  operation({
    ...shared,
    id: 'revokeReleaseLink',
    steps: twoSteps('destroys the address'),
    method: 'DELETE',
    path: LINK,
    summary: 'Revoke a link to a release',
    description: 'Revokes the link; its URL answers 404 from then on.',
    access: edit,
    responses: { 204: { description: 'Revoked.' } },
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
      'Returns the data shown on the page of a link. Needs no key, as the URL cannot be guessed. The response must not be cached.',
    access: open,
    responses: {
      200: { description: 'The release.', schema: SharedReleaseEntity, example: exampleShared },
    },
    handle: (call) => links.shared(call),
  }),
]
