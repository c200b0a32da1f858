import { msg } from '@lit/localize';
import { linkToPlace } from '../explore/place.ts';
import { routeTo } from '../routes.ts';

/** A card of the start page and a step of the tour: a command to run, or a screen to open. */
export type StartStep = { readonly about: string } & (
  | { readonly line: string }
  | {
      readonly title: string;
      /** The hash of the screen. */
      readonly href: string;
    }
);

export const startSteps = (): readonly StartStep[] => [
  { line: 'kubectl apply -f shop.yaml', about: msg('create the sample shop from your home folder') },
  { line: 'kubectl get all -n shop', about: msg('see what was created') },
  { title: msg('Requests'), href: routeTo('requests'), about: msg('read each request of the commands, and why it was allowed') },
  {
    title: msg('Explore'),
    href: linkToPlace(storefront),
    about: msg('edit a Deployment of the shop, see its history and who wrote each field'),
  },
  { line: 'kubectl auth can-i delete pods --as alice', about: msg('check access of users') },
  { line: 'kubectl explain deployment.spec.strategy', about: msg('read about a field') },
  { title: msg('Learn'), href: routeTo('learn'), about: msg('take a short lesson, which has its own cluster') },
];

/** A Deployment of the sample shop. */
const storefront = { group: 'apps', version: 'v1', resource: 'deployments', namespace: 'shop', name: 'storefront' };
