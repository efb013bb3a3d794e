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
  headers: { 'User-Agent': 'What the device is; it is noted with the download.' },
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
      'A page of the links that were made for the bucket and its builds, newest first. Needs the level uploader in the bucket.',
    query: listLinksValidator,
    answers: {
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
    summary: 'Make an install link',
    description:
      'Makes a link to the page of a build, or to that of whichever build is the newest of the bucket: its address never changes. With `email` it is for one tester, who has to be able to see the bucket, and needs the level uploader; without it is for whoever has it, and needs `publicLinkEnabled` of the bucket and the level admin.',
    body: {
      kind: 'json',
      name: 'InstallLinkCreateRequestBody',
      description: 'What the link is to, and for whom.',
      like: InstallLinkEntity,
      validator: createLinkValidator,
      example: {
        buildDistroBuildId: exampleLink.buildDistroBuildId,
        email: exampleLink.tester.email,
      },
    },
    answers: { 201: entity },
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
    description: 'The link with its address. Needs the level uploader in the bucket.',
    answers: { 200: entity },
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
      'Lets a link end earlier or later; one that has ended opens again. Needs the level uploader in the bucket.',
    body: {
      kind: 'json',
      name: 'InstallLinkUpdateRequestBody',
      description: 'What is to change; what is absent stays.',
      like: InstallLinkEntity,
      validator: updateLinkValidator,
      example: { expiresAt: null },
    },
    answers: { 200: { ...entity, example: { ...exampleLink, expiresAt: null } } },
    precondition: { of: 'getInstallLink', isAnswer: true },
    handle: (call) => links.update(call),
  }),
  operation({
    ...shared,
    id: 'deleteInstallLink',
    steps: twoSteps('destroys the link'),
    method: 'DELETE',
    path: LINK,
    summary: 'Withdraw an install link',
    description:
      'Ends the link at once, with every download that was to begin by it. Needs the level uploader in the bucket.',
    answers: { 204: { description: 'It is gone.' } },
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
      'What a tester opens: the build and the one thing to do with it on this device. Works without script; errors are pages, too.',
    body: agent,
    answers: {
      200: htmlPage('The page of the build.'),
      404: htmlPage('There is no such link.'),
      410: htmlPage('The link or the build has expired, or the link was withdrawn.'),
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
      'What a tester finds by a link to the newest of a bucket: the builds that can be installed, with a search, tags and branches to narrow it down, and which they installed already.',
    query: listPageValidator,
    answers: {
      200: htmlPage('The page of the list.'),
      404: htmlPage('There is no such link, or it is to one build alone.'),
      410: htmlPage('The link has expired or was withdrawn.'),
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
    description: 'The page of a build, by a link to the newest of its bucket.',
    body: agent,
    answers: {
      200: htmlPage('The page of the build.'),
      404: htmlPage('There is no such link, or no such build.'),
      410: htmlPage('The link or the build has expired, or the link was withdrawn.'),
    },
    handle: (call) => pages.showOne(call),
  }),
  operation({
    ...visited,
    id: 'getAppUpdate',
    method: 'GET',
    path: '/install/{installToken}/update',
    summary: 'Ask whether there is a newer build of an app',
    description:
      'For apps themselves: with their bundle id and build number, by a link to the newest of a bucket, which may be built into them. Versions are compared first where one is given, then build numbers.',
    query: updateCheckValidator,
    answers: {
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
      'What `itms-services` of the page points to, for an hour after the page was shown.',
    answers: {
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
      'The file of one build; who downloads it is noted. For six hours after the page or the manifest was given, as often and in such parts as the device asks for.',
    body: device,
    answers: {
      200: { description: 'The file.', ...file },
      206: { description: 'The part of it that `Range` asks for.', ...file },
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
    description: 'A square picture: of the build, else of its app, else a plain one.',
    answers: { 200: { description: 'The picture.', contentType: 'image/png' } },
    errors: [410],
    handle: (call) => pages.icon(call),
  }),
]

export const operations = [...linkOperations, ...pageOperations]
