import {
  actionsOrOwner,
  open,
  operation,
  type Wire,
  type WireDeclaration,
} from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { pageOf } from '#foundation/core/schemas'
import { agent, CONTENT_TYPES, htmlPage } from './declarations.js'
import { InstallLinkEntity } from './entities.js'
import { exampleLink, exampleLinkPage } from './examples.js'
import { AppUpdateEntity } from '../testers/entities.js'
import { exampleUpdate } from '../testers/examples.js'
import { updateCheckValidator } from '../testers/validators.js'
import {
  createLinkValidator,
  listLinksValidator,
  listPageValidator,
  updateLinkValidator,
} from './validators.js'
import { twoSteps } from '#foundation/api/operation/steps'

const links = lazyController(
  async () => new (await import('./links_controller.js')).LinksController()
)
const pages = lazyController(
  async () => new (await import('./pages_controller.js')).PagesController()
)

const LINKS = '/app/{appId}/bucket/{bucketId}/installLink'
const LINK = `${LINKS}/{installLinkId}`
const shared = {
  tag: 'Install links',
  beyond: true,
  access: actionsOrOwner('UploadBuilds', 'ManageBuckets'),
} as const
const visited = { tag: 'Install links', beyond: true, access: open } as const

const entity = { description: 'The link.', schema: InstallLinkEntity, example: exampleLink }

const file = { contentType: 'application/octet-stream', orTypes: [CONTENT_TYPES.apk] }

/** The headers of a download that are recorded. */
const device: WireDeclaration = {
  kind: 'wire',
  headers: { 'User-Agent': 'Identifies the device; recorded with the download.' },
  example: { 'user-agent': 'com.apple.appstored/1.0 iOS/18.6 model/iPhone15,2' },
}

const linkOperations = [
  operation({
    ...shared,
    id: 'listInstallLinks',
    method: 'GET',
    path: LINKS,
    summary: 'List the install links of a bucket',
    description:
      'Returns a page of the install links of the bucket and its builds, newest first. Requires the uploader level in the bucket.',
    query: listLinksValidator,
    responses: {
      200: {
        description: 'A page of links.',
        schema: pageOf(InstallLinkEntity),
        example: exampleLinkPage,
      },
    },
    handle: (call) => links.index(call),
  }),
  operation({
    ...shared,
    id: 'createInstallLink',
    steps: twoSteps('lets whoever has the link install'),
    method: 'POST',
    path: LINKS,
    summary: 'Create an install link',
    description:
      'Creates a link to the page of a build or of the newest build of the bucket. Its URL never changes. With `email`, the link is for one tester, who must have access to the bucket, and requires the uploader level; without, it is public and requires `publicLinkEnabled` of the bucket and the admin level.',
    body: {
      kind: 'json',
      name: 'InstallLinkCreateRequestBody',
      description: 'Build, tester and expiry of the link.',
      like: InstallLinkEntity,
      validator: createLinkValidator,
      example: {
        buildDistroBuildId: exampleLink.buildDistroBuildId,
        email: exampleLink.tester.email,
      },
    },
    responses: { 201: entity },
    errors: [409],
    check: (call, errors) => links.checkStore(call, errors),
    handle: (call) => links.store(call),
  }),
  operation({
    ...shared,
    id: 'getInstallLink',
    method: 'GET',
    path: LINK,
    summary: 'Get an install link',
    description: 'Returns the link with its URL. Requires the uploader level in the bucket.',
    responses: { 200: entity },
    handle: (call) => links.show(call),
  }),
  operation({
    ...shared,
    id: 'updateInstallLink',
    steps: twoSteps('says until when whoever has the link may install'),
    method: 'PATCH',
    path: LINK,
    summary: 'Change when an install link ends',
    description:
      'Changes when a link expires; an expired link can be reactivated. Requires the uploader level in the bucket.',
    body: {
      kind: 'json',
      name: 'InstallLinkUpdateRequestBody',
      description: 'Fields to change; absent fields are kept.',
      like: InstallLinkEntity,
      validator: updateLinkValidator,
      example: { expiresAt: null },
    },
    responses: { 200: { ...entity, example: { ...exampleLink, expiresAt: null } } },
    precondition: { of: 'getInstallLink', isResponse: true },
    handle: (call) => links.update(call),
  }),
  operation({
    ...shared,
    id: 'deleteInstallLink',
    steps: twoSteps('destroys the link'),
    method: 'DELETE',
    path: LINK,
    summary: 'Revoke an install link',
    description:
      'Revokes the link at once, with all downloads not yet started through it. Requires the uploader level in the bucket.',
    responses: { 204: { description: 'Deleted.' } },
    precondition: { of: 'getInstallLink' },
    handle: (call) => links.destroy(call),
  }),
]

const pageOperations = [
  operation<Wire>({
    ...visited,
    id: 'getInstallPage',
    method: 'GET',
    path: '/install/{installToken}',
    summary: 'Get the page of an install link',
    description:
      'Returns the page that a tester opens: the build and what to do with it on this device. Works without JavaScript; errors are pages, too.',
    body: agent,
    responses: {
      200: htmlPage('The page of the build.'),
      404: htmlPage('The link does not exist.'),
      410: htmlPage('The link or the build has expired, or the link was revoked.'),
    },
    handle: (call) => pages.show(call),
  }),
  operation({
    ...visited,
    id: 'listInstallPages',
    method: 'GET',
    path: '/install/{installToken}/builds',
    summary: 'Get the list of the builds of a bucket as a page',
    description:
      'Returns the list behind a link to the newest build of a bucket: all installable builds, with a search, filters by tag and branch, and marks on those the tester has installed.',
    query: listPageValidator,
    responses: {
      200: htmlPage('The page of the list.'),
      404: htmlPage('The link does not exist, or is to a single build.'),
      410: htmlPage('The link has expired or was revoked.'),
    },
    errors: [400],
    handle: (call) => pages.index(call),
  }),
  operation<Wire>({
    ...visited,
    id: 'getInstallBuildPage',
    method: 'GET',
    path: '/install/{installToken}/builds/{buildDistroBuildId}',
    summary: 'Get the page of one build of a bucket',
    description: 'Returns the page of a build, through a link to the newest build of its bucket.',
    body: agent,
    responses: {
      200: htmlPage('The page of the build.'),
      404: htmlPage('The link or the build does not exist.'),
      410: htmlPage('The link or the build has expired, or the link was revoked.'),
    },
    handle: (call) => pages.showOne(call),
  }),
  operation({
    ...visited,
    id: 'getAppUpdate',
    method: 'GET',
    path: '/install/{installToken}/update',
    summary: 'Check for a newer build of an app',
    description:
      'Lets an app check for updates by its bundle id and build number, through a link to the newest build of a bucket, which can be built into the app. Versions, if given, are compared before build numbers.',
    query: updateCheckValidator,
    responses: {
      200: { description: 'The newest build.', schema: AppUpdateEntity, example: exampleUpdate },
    },
    errors: [410],
    handle: (call) => pages.update(call),
  }),
  operation({
    ...visited,
    id: 'getInstallManifest',
    method: 'GET',
    path: '/install-manifest/{manifestToken}',
    summary: 'Get the manifest by which iOS installs',
    description:
      'Returns the target of the page’s `itms-services` link. Valid for an hour after the page was shown.',
    responses: {
      200: {
        description: 'A property list.',
        contentType: 'application/xml',
        example: '<plist version="1.0"><dict><key>items</key>…</dict></plist>',
      },
    },
    errors: [409, 410],
    handle: (call) => pages.manifest(call),
  }),
  operation<Wire>({
    ...visited,
    id: 'getInstallPackage',
    method: 'GET',
    path: '/install-package/{packageToken}',
    summary: 'Download a build by its install page',
    description:
      'Returns the file of a build and records the download. Valid for six hours after the page or manifest was served, for any number of requests and ranges.',
    body: device,
    responses: {
      200: { description: 'The file.', ...file },
      206: { description: 'The requested range of the file.', ...file },
    },
    errors: [409, 410, 416],
    handle: (call) => pages.package(call),
  }),
  operation({
    ...visited,
    id: 'getInstallIcon',
    method: 'GET',
    path: '/install-icon/{iconToken}',
    summary: 'Get the icon of a build by its install page',
    description: 'Returns a square icon: that of the build, else of its app, else a plain one.',
    responses: { 200: { description: 'The icon.', contentType: 'image/png' } },
    errors: [410],
    handle: (call) => pages.icon(call),
  }),
]

export const operations = [...linkOperations, ...pageOperations]
