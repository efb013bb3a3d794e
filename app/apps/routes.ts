import { list, object, pageOf, url } from '#foundation/core/schemas'
import { exampleIntegration } from '#integrations/examples'
import { exampleApp, exampleAppTimeline, exampleIcon } from './examples.js'
import vine from '@vinejs/vine'
import { actions, open, operation, read, upload } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { dateTime, oneOf, describedAs, text } from '#foundation/api/operation/input'
import { pageInput } from '#foundation/api/pages'
import { IntegrationEntity } from '#integrations/entities'
import { KINDS } from '#plugin-kit/kinds'
import { AppEntity, AppTimelineEvent } from './entities.js'
import { iconKey, storeIcon } from './icons/store_icon.js'
import { APP_PLATFORMS } from './vocabulary.js'
import { oneStep } from '#foundation/api/operation/steps'

const apps = lazyController(
  async () => new (await import('./controllers/apps_controller.js')).AppsController()
)
const MIB = 1024 * 1024

export const operations = [
  operation({
    id: 'listApps',
    method: 'GET',
    path: '/org/{orgId}/apps',
    tag: 'Organization',
    summary: 'List apps in organization',
    description: 'Returns the apps that the key can see, by id.',
    access: read,
    isOfStored: true,
    query: vine.create({
      platform: oneOf(APP_PLATFORMS).use(describedAs('Only apps of this platform.')).optional(),
      appGroup: text(100).use(describedAs('Only apps of this group.')).optional(),
    }),
    responses: {
      200: {
        description: 'The apps.',
        schema: list('The apps.', AppEntity, 10_000),
        example: () => [exampleApp()],
      },
    },
    handle: (call) => apps.index(call),
  }),
  operation({
    id: 'getApp',
    method: 'GET',
    path: '/app/{appId}',
    tag: 'App',
    summary: 'Get app details',
    description: 'Returns the app with its settings, workflow, destinations and current release.',
    access: read,
    isOfStored: true,
    responses: { 200: { description: 'The app.', schema: AppEntity, example: exampleApp } },
    handle: (call) => apps.show(call),
  }),
  operation<string>({
    id: 'uploadAppIcon',
    steps: oneStep('another icon replaces it'),
    method: 'POST',
    path: '/app/{appId}/icon',
    tag: 'App',
    summary: 'Upload app icon',
    description:
      'Sets the icon to a PNG, JPEG or WebP image of up to 5 MiB and 4096 pixels per side, stored as PNG.',
    access: actions('UpdateAppSettings'),
    body: upload({
      name: 'AppIconUploadRequestFormData',
      description: 'The image as part `file`.',
      maxBytes: 5 * MIB,
      receive: async ({ path }) => {
        const name = await storeIcon(path)
        return { value: name, keys: [iconKey(name)] }
      },
    }),
    responses: {
      200: {
        description: 'URL of the icon.',
        schema: object('URL of the icon.', {
          iconUrl: url('URL of the icon; needs no key.'),
        }),
        example: exampleIcon,
      },
    },
    handle: (call) => apps.icon(call),
  }),
  operation({
    id: 'getAppIcon',
    method: 'GET',
    path: '/icons/{fileName}',
    tag: 'App',
    summary: 'Get an app icon',
    description: 'Returns the image at `iconUrl`. Needs no key, as the name cannot be guessed.',
    beyond: true,
    access: open,
    responses: { 200: { description: 'The image.', contentType: 'image/png' } },
    handle: (call) => apps.showIcon(call),
  }),
  operation({
    id: 'listAppTimelineEvents',
    method: 'GET',
    path: '/app/{appId}/timelineEvents',
    tag: 'App',
    summary: 'Get timeline events for an app',
    description:
      'Returns a page of changes to the configuration, destinations, icon and items of the app, newest first. Events of a release are in the timeline of the release.',
    beyond: true,
    access: read,
    query: vine.create({
      ...pageInput,
      type: text(64).use(describedAs('Only entries of this type.')).optional(),
      from: dateTime().use(describedAs('Only entries from this time on.')).optional(),
      to: dateTime().use(describedAs('Only entries up to this time.')).optional(),
    }),
    responses: {
      200: {
        description: 'A page of entries.',
        schema: pageOf(AppTimelineEvent),
        example: exampleAppTimeline,
      },
    },
    handle: (call) => apps.timeline(call),
  }),
  operation({
    id: 'listAppIntegrations',
    method: 'GET',
    path: '/app/{appId}/integrations',
    tag: 'App',
    summary: 'List app integrations',
    description:
      'Returns the provider integrations that the app uses, in the order of its ' +
      'configuration file, without credentials.',
    access: read,
    query: vine.create({
      kind: oneOf(KINDS).use(describedAs('Only integrations of this kind.')).optional(),
    }),
    responses: {
      200: {
        description: 'The integrations.',
        schema: list('The integrations.', IntegrationEntity, 200),
        example: [exampleIntegration],
      },
    },
    handle: (call) => apps.integrations(call),
  }),
]
