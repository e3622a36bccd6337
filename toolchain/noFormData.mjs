/** Replaces the package form-data in bundles: axios imports its class, but no request of the provider has a form. */
export default class FormData {}
