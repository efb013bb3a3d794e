import { Type } from '@sinclair/typebox'
import vine from '@vinejs/vine'
import { actions, open, operation, read, upload } from '#foundation/api/operation/declaration'
import { oneOf, text } from '#foundation/api/operation/input'
import { AppsController } from './controllers/apps_controller.js'
import { IntegrationEntity } from '#integrations/entities'
import { KINDS } from '#plugin-kit/kinds'
import { AppEntity } from './entities.js'
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
    id: 'listAppIntegrations',
    method: 'GET',
    path: '/app/{appId}/integrations',
    tag: 'App',
    summary: 'List app integrations',
    description:
      'What the app uses of the providers its organization is connected to, in the order of its ' +
      'configuration file. Never with a credential.',
    access: read,
    query: vine.create({ kind: oneOf(KINDS).optional() }),
    answers: {
      200: {
        description: 'The integrations.',
        schema: Type.Array(IntegrationEntity, { maxItems: 200 }),
      },
    },
    handle: (call) => apps.integrations(call),
  }),
]
