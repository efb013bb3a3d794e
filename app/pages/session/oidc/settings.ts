/** A provider of OpenID Connect that people sign in with. */
export interface OidcSettings {
  issuer: string
  clientId: string
  clientSecret: string
  /** The name that people know, which is on the button. */
  name: string
  /** True if people may join whom no organization has added. */
  newUsers: boolean
}

declare module '@adonisjs/core/types' {
  interface ContainerBindings {
    'pages.oidc': { settings: OidcSettings | null }
  }
}
