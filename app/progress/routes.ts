import { operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { list } from '#foundation/core/schemas'
import { TranslatedLocaleEntity } from './entities.js'

const progress = lazyController(
  async () => new (await import('./controllers/progress_controller.js')).ProgressController()
)

/** Most languages of a release. */
const MAX_LOCALES = 10_000

export const operations = [
  operation({
    id: 'listTranslationProgress',
    surface: 'pages',
    method: 'GET',
    path: '/app/{appId}/release/{releaseId}/translationProgress',
    tag: 'Release',
    summary: 'List translation progress of a release',
    description:
      'Returns the languages last seen at the translation service; none if it was not checked yet.',
    access: read,
    responses: {
      200: {
        description: 'The languages.',
        schema: list('The languages.', TranslatedLocaleEntity, MAX_LOCALES),
        example: [{ locale: 'de', percentage: 96 }],
      },
    },
    handle: (call) => progress.translations(call),
  }),
]
