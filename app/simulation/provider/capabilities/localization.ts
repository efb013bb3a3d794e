import type { Localization, LocalizedMetadata } from '#plugin-kit/capabilities/stores'
import type { Mutation, PluginContext, Ref } from '#plugin-kit/context'
import { changed } from '../shared/changed.js'
import { allOf } from '../shared/world_pages.js'

interface WorldFile {
  path: string
  locale: string
  content: string
}

/** Translations of a simulated world. */
export default class SimulatedLocalization implements Localization {
  constructor(private readonly ctx: PluginContext) {}

  listLocales() {
    return allOf<{ locale: string; translated: number; reviewed: number; total: number }>(
      this.ctx,
      { path: '/v1/translations/locales' }
    )
  }

  upload(
    files: { path: string; locale: string; content: Uint8Array }[],
    tag: string,
    mutation: Mutation
  ): Promise<Ref> {
    const encoded = files.map(({ content, ...file }) => ({
      ...file,
      content: Buffer.from(content).toString('base64'),
    }))
    return changed<Ref>(this.ctx, mutation, {
      path: '/v1/translations/files',
      json: { files: encoded, tag },
    })
  }

  async download(locales: string[], tag?: string) {
    const query = { locale: locales, tag }
    const files = await allOf<WorldFile>(this.ctx, { path: '/v1/translations/files', query })
    return files.map(({ path, locale, content }) => ({
      path,
      locale,
      content: new Uint8Array(Buffer.from(content, 'base64')),
    }))
  }

  getStoreMetadata(): Promise<LocalizedMetadata[]> {
    return allOf<LocalizedMetadata>(this.ctx, { path: '/v1/translations/metadata' })
  }
}
