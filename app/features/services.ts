/** A language model that writes release notes; without one they are put together by rules. */
export interface AiSettings {
  /** Base URL of an endpoint compatible with OpenAI's, without `/chat/completions`. */
  baseUrl: string | null
  model: string | null
  key: string | null
  /** Milliseconds that it may take to answer. */
  patience: number
}

declare module '@adonisjs/core/types' {
  interface ContainerBindings {
    'features.ai': AiSettings
  }
}
