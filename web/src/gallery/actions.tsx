import { ArrowRight, Download, Pencil, Trash2 } from 'lucide-react';
import { Button, Spinner } from '../ui/actions/button.tsx';
import { CopyButton } from '../ui/actions/copy-button.tsx';
import { IconButton } from '../ui/actions/icon-button.tsx';
import { LinkButton, TextLink } from '../ui/actions/links.tsx';
import { ignore, type Stories } from './story.tsx';

export const actionStories: Stories = (examples) => [
  {
    name: 'Button',
    states: {
      primary: <Button>{examples.submit}</Button>,
      secondary: <Button variant="secondary">{examples.edit}</Button>,
      quiet: <Button variant="quiet">{examples.cancel}</Button>,
      danger: <Button variant="danger">{examples.remove}</Button>,
      'with icon': <Button icon={<Pencil aria-hidden size={18} />}>{examples.edit}</Button>,
      small: (
        <Button size="sm" variant="secondary">
          {examples.edit}
        </Button>
      ),
      large: <Button size="lg">{examples.continue}</Button>,
      disabled: <Button isDisabled>{examples.submit}</Button>,
      pending: <Button isPending>{examples.submit}</Button>,
      'pending with its own label': (
        <Button isPending pendingLabel={examples.submitting}>
          {examples.submit}
        </Button>
      ),
      'icon only on a phone': (
        <Button isIconOnPhone variant="secondary" icon={<Download aria-hidden size={20} />}>
          {examples.copy}
        </Button>
      ),
      'full width': <Button isFullWidth>{examples.continue}</Button>,
      'long label': <Button>{examples.longAction}</Button>,
    },
  },
  {
    name: 'LinkButton',
    states: {
      primary: <LinkButton to="#link-button">{examples.continue}</LinkButton>,
      'secondary with icon': (
        <LinkButton
          to="#link-button"
          variant="secondary"
          icon={<ArrowRight aria-hidden size={18} className="mirror" />}
        >
          {examples.emptyAction}
        </LinkButton>
      ),
      'quiet, small': (
        <LinkButton to="#link-button" variant="quiet" size="sm">
          {examples.edit}
        </LinkButton>
      ),
      'full width': (
        <LinkButton to="#link-button" isFullWidth>
          {examples.continue}
        </LinkButton>
      ),
    },
  },
  {
    name: 'TextLink',
    states: {
      'in a sentence': (
        <p>
          {examples.sentence} <TextLink to="#text-link">{examples.terms}</TextLink>
        </p>
      ),
    },
  },
  {
    name: 'IconButton',
    states: {
      default: (
        <IconButton label={examples.remove} onPress={ignore}>
          <Trash2 aria-hidden size={20} />
        </IconButton>
      ),
      disabled: (
        <IconButton label={examples.remove} onPress={ignore} isDisabled>
          <Trash2 aria-hidden size={20} />
        </IconButton>
      ),
    },
  },
  {
    name: 'CopyButton',
    states: {
      default: (
        <CopyButton text="DW26-0004217" label={examples.copy} copiedLabel={examples.copied} />
      ),
    },
  },
  {
    name: 'Spinner',
    states: { default: <Spinner />, large: <Spinner size={32} /> },
  },
];
