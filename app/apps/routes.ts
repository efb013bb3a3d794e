import { Type } from '@sinclair/typebox'
import vine from '@vinejs/vine'
import { actions, open, operation, read, upload } from '#foundation/api/operation/declaration'
import { dateTime, oneOf, text } from '#foundation/api/operation/input'
import { pageInput } from '#foundation/api/pages'
import { pageOf } from '#foundation/core/schemas'
import { AppsController } from './controllers/apps_controller.js'
import { IntegrationEntity } from '#integrations/entities'
import { AppEntity, AppTimelineEvent } from './entities.js'
import { iconKey, storeIcon } from './icons/store_icon.js'
import { APP_PLATFORMS } from './vocabulary.js'

const apps = new AppsController()
const MIB = 1024 * 1024

export const operations = [
  operation({
    id: 'listApps',
    method: 'GET',
    path: '/org/{orgId}/apps',
    tag: 'Organization',
    summary: 'List apps in organization',
    description: 'The apps that the key can see, by id.',
    access: read,
    query: vine.create({
      platform: oneOf(APP_PLATFORMS).optional(),
      appGroup: text(100).optional(),
    }),
    answers: {
      200: { description: 'The apps.', schema: Type.Array(AppEntity, { maxItems: 10_000 }) },
    },
    handle: (call) => apps.index(call),
  }),
  operation({
    id: 'getApp',
    method: 'GET',
    path: '/app/{appId}',
    tag: 'App',
    summary: 'Get app details',
    description: 'The app with its settings, workflow, destinations and current release.',
    access: read,
    answers: { 200: { description: 'The app.', schema: AppEntity } },
    handle: (call) => apps.show(call),
  }),
  operation<string>({
    id: 'uploadAppIcon',
    method: 'POST',
    path: '/app/{appId}/icon',
    tag: 'App',
    summary: 'Upload app icon',
    description:
      'A PNG, JPEG or WebP of at most 5 MiB and 4096 pixels a side; it is kept as a PNG.',
    access: actions('UpdateAppSettings'),
    body: upload({
      name: 'AppIconUploadRequestFormData',
      description: 'The picture as the part `file`.',
      maxBytes: 5 * MIB,
      receive: async ({ path }) => {
        const name = await storeIcon(path)
        return { value: name, keys: [iconKey(name)] }
      },
    }),
    answers: {
      200: {
        description: 'Where the icon is.',
        schema: Type.Object({ iconUrl: Type.String({ format: 'uri' }) }),
        example: { iconUrl: 'https://tarmac.acme.example/icons/4fJq0VbM2wXy7TtZr9Kd1234.png' },
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
    description: 'The picture behind `iconUrl`; needs no key, its name cannot be guessed.',
    beyond: true,
    access: open,
    answers: { 200: { description: 'The picture.', contentType: 'image/png' } },
    handle: (call) => apps.showIcon(call),
  }),
  operation({
    id: 'listAppTimelineEvents',
    method: 'GET',
    path: '/app/{appId}/timelineEvents',
    tag: 'App',
    summary: 'Get timeline events for an app',
    description:
      'A page of what was done to the app and became of it, newest first: its configuration, its destinations, its icon, its items. What concerns a release is in the timeline of the release.',
    beyond: true,
    access: read,
    query: vine.create({
      ...pageInput,
      type: text(64).optional(),
      from: dateTime().optional(),
      to: dateTime().optional(),
    }),
    answers: { 200: { description: 'A page of events.', schema: pageOf(AppTimelineEvent) } },
    handle: (call) => apps.timeline(call),
  }),
  operation({
    id: 'listAppIntegrations',
    method: 'GET',
    path: '/app/{appId}/integrations',
    tag: 'App',
    summary: 'List app integrations',
    description: 'The integrations of the app. Empty until providers are connected.',
    access: read,
    query: vine.create({ kind: text(40).optional() }),
    answers: {
      200: {
        description: 'The integrations.',
        schema: Type.Array(IntegrationEntity, { maxItems: 200 }),
      },
    },
    handle: (call) => apps.integrations(call),
  }),
]
