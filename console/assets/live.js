document.documentElement.dataset['live'] = 'on';
