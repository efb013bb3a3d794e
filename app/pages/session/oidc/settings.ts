/** A provider of OpenID Connect that people sign in with. */
export interface OidcSettings {
  issuer: string
  clientId: string
  clientSecret: string
  /** As people know it: it stands on the button. */
  name: string
  /** True if people join whom no organization has named. */
  newUsers: boolean
}

declare module '@adonisjs/core/types' {
  interface ContainerBindings {
    'pages.oidc': { settings: OidcSettings | null }
  }
}
