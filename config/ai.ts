import type { AiSettings } from '#features/services'
import env from '#start/env'

/** A language model that writes release notes, see `docs/reference/settings.md`. */
export const ai: AiSettings = {
  baseUrl: env.get('AI_BASE_URL') ?? null,
  model: env.get('AI_MODEL') ?? null,
  key: env.get('AI_API_KEY') ?? null,
  patience: 20_000,
}
